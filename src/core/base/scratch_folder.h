#pragma once
// A new empty folder under the system's place for temporary files; removed with all it holds.

#include <filesystem>
#include <string_view>

namespace eco {

class ScratchFolder {
 public:
  ScratchFolder();  // throws eco::Error (resource)
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::filesystem::path file(std::string_view name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace eco
