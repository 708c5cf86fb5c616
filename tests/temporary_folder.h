#pragma once
// A folder of its own for every test, gone after it. Tests run side by side, each in a process of
// its own, so a name that two of them could share would be a race.

#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/scratch_folder.h"

namespace eco {

class TemporaryFolder {
 public:
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.file(name); }
  // Gives the path of what was written.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()), {}));
  }

 private:
  ScratchFolder folder_;
};

}  // namespace eco
