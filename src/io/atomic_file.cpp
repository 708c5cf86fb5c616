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

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(link_target(path)) {
  std::error_code problem;
  const auto status = std::filesystem::status(path_, problem);
  if (std::filesystem::is_directory(status)) {
    errno = EISDIR;
    fail("cannot create");
  }
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (!special) temporary_ = path_ + "." + std::to_string(getpid()) + ".tmp";
  file_ = std::fopen(special ? path_.c_str() : temporary_.c_str(), "wb");
  if (file_ == nullptr) fail("cannot create");
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  (void)std::fclose(file_);
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
  throw Error(ErrorKind::resource, path_ + ": " + what + ": " + std::strerror(errno));
}

void AtomicFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot write");
}

void AtomicFile::commit() {
  if (temporary_.empty()) {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("cannot write");
    return;
  }
  if (std::fflush(file_) != 0 || ::fsync(fileno(file_)) != 0) fail("cannot write");
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    (void)::unlink(temporary_.c_str());
    errno = reason;
    fail("cannot write");
  }
  // The rename itself is durable only once the folder is synced.
  const auto folder = std::filesystem::path(path_).parent_path();
  const int handle = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (handle >= 0) {
    (void)::fsync(handle);
    (void)::close(handle);
  }
}

}  // namespace eco::io
