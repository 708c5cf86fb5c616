#pragma once
// A file that appears whole or not at all: bytes go to a temporary name beside the target;
// prepare() syncs them, commit() renames. Destruction without commit() removes the temporary. A
// symbolic link is followed; a device or pipe (/dev/null) cannot be renamed over and is written
// directly.

#include <cstdio>
#include <string>
#include <string_view>

namespace eco::io {

// A new name in a folder is durable only once the folder is synced.
void sync_folder_of(const std::string& path);

class AtomicFile {
 public:
  explicit AtomicFile(
      const std::string& path);  // throws eco::Error (resource) if it cannot be created
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);  // throws eco::Error (resource), e.g. disk full
  void prepare();                      // all that can fail but for the renaming; nothing after it
  void commit();                       // prepares first if that is not done

  // Throws eco::Error (resource) if a file of that name could not be created now.
  static void require_creatable(const std::string& path);

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;  // empty: written directly, or in place already
  std::FILE* file_ = nullptr;
};

}  // namespace eco::io
