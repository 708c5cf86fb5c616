#include "io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/error.h"

namespace eco::io {

namespace {

std::string link_target(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::is_symlink(path, problem)) return path;
  const auto target = std::filesystem::weakly_canonical(path, problem);
  return problem ? path : target.string();
}

// A device or a pipe.
bool is_special(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

void sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (handle < 0) return;
  (void)::fsync(handle);
  (void)::close(handle);
}

AtomicFile::AtomicFile(const std::string& path) : path_(link_target(path)) {
  std::error_code problem;
  if (std::filesystem::is_directory(path_, problem)) {
    errno = EISDIR;
    fail("cannot create");
  }
  const bool special = is_special(path_);
  if (!special) temporary_ = path_ + "." + std::to_string(getpid()) + ".tmp";
  file_ = std::fopen(special ? path_.c_str() : temporary_.c_str(), "wb");
  if (file_ == nullptr) fail("cannot create");
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr) (void)std::fclose(file_);
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

void AtomicFile::require_creatable(const std::string& path) {
  const std::string target = link_target(path);
  const auto fail = [&] {
    throw Error(ErrorKind::resource, path + ": cannot create: " + std::strerror(errno));
  };
  std::error_code problem;
  if (std::filesystem::is_directory(target, problem)) {
    errno = EISDIR;
    fail();
  }
  // Opening a pipe would wait for its reader.
  if (is_special(target)) {
    if (::access(target.c_str(), W_OK) != 0) fail();
    return;
  }
  // A file without a name: nothing is left behind, even by a kill.
  auto folder = std::filesystem::path(target).parent_path();
  if (folder.empty()) folder = ".";
  const int probe = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (probe >= 0) {
    (void)::close(probe);
    return;
  }
  const bool unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
  if (!unknown || ::access(folder.c_str(), W_OK | X_OK) != 0) fail();
}

void AtomicFile::fail(const char* what) const {
  throw Error(ErrorKind::resource, path_ + ": " + what + ": " + std::strerror(errno));
}

void AtomicFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot write");
}

void AtomicFile::prepare() {
  if (file_ == nullptr) return;
  const bool synced =
      std::fflush(file_) == 0 && (temporary_.empty() || ::fsync(fileno(file_)) == 0);
  const int reason = errno;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (synced && closed) return;
  if (!synced) errno = reason;
  fail("cannot write");
}

void AtomicFile::commit() {
  prepare();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot write");
  temporary_.clear();
  sync_folder_of(path_);
}

}  // namespace eco::io
