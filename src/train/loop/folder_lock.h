#pragma once
// One process at a time in a folder. The lock is the kernel's (flock), so that it is gone with the
// process however that ends; the file that carries it stays and says who has it or had it last.

#include <string>

namespace eco::train {

class FolderLock {
 public:
  // Throws eco::Error (usage) that names the process if another one has the folder.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace eco::train
