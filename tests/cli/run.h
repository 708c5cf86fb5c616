#pragma once
// Runs the real eco binary and gives back what a shell would see; and a folder that is gone after
// the test.

#include <filesystem>
#include <string>
#include <vector>

namespace eco {

struct RunResult {
  int code = -1;  // 128 + signal if it was killed
  std::string out, err;
};

// Arguments after `eco`. `input` becomes standard input.
RunResult run_eco(const std::vector<std::string>& arguments, const std::string& input = "");
RunResult run_program(const std::vector<std::string>& command, const std::string& input = "");

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::string write(const std::string& name, const std::string& content) const;  // gives its path
  [[nodiscard]] std::size_t files() const;

 private:
  std::filesystem::path folder_;
};

std::string read_text(const std::string& path);

[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace eco
