#pragma once
// Runs the real eco binary and gives back what a shell would see.

#include <string>
#include <vector>

#include "temporary_folder.h"

namespace eco {

struct RunResult {
  int code = -1;  // 128 + signal if it was killed
  std::string out, err;
};

// Arguments after `eco`. `input` becomes standard input.
RunResult run_eco(const std::vector<std::string>& arguments, const std::string& input = "");
RunResult run_program(const std::vector<std::string>& command, const std::string& input = "");

std::string read_text(const std::string& path);

[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace eco
