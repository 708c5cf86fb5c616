#include "train/loop/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace eco::train {

namespace {

std::string content_at_start(int file) {
  std::array<char, 32> text{};
  const ssize_t length = ::pread(file, text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

// Who has it: a process that took the lock writes its id at once, but not in the same instant.
std::string holder(int file) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    const std::string text = content_at_start(file);
    if (text.ends_with('\n')) return "process " + text.substr(0, text.size() - 1);
    ::usleep(10'000);
  }
  return "another process";
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = folder + "/lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw Error(ErrorKind::resource, path + ": cannot open: " + std::strerror(errno));
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    const std::string who = holder(file_);
    ::close(file_);
    if (reason != EWOULDBLOCK) {
      throw Error(ErrorKind::resource, path + ": cannot lock: " + std::strerror(reason));
    }
    throw Error(ErrorKind::usage,
                folder + " is in use by " + who + ": wait until it ends, or take another --out");
  }
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file_, 0) != 0 ||
      ::pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    const int reason = errno;
    ::close(file_);
    throw Error(ErrorKind::resource, path + ": cannot write: " + std::strerror(reason));
  }
}

FolderLock::~FolderLock() {
  ::close(file_);
}

}  // namespace eco::train
