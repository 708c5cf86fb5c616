#pragma once
// Where things lie. One file alone is compiled with these paths, so that a compiler cache serves
// every checkout of the project.

#include <string>

namespace eco {

[[nodiscard]] std::string source_path(const std::string& name);   // below the project's root
[[nodiscard]] std::string data_path(const std::string& name);     // below tests/data
[[nodiscard]] std::string program_path(const std::string& name);  // of the build
// Small untrained weights of preset best.
[[nodiscard]] std::string test_weights_path(const std::string& problem);

}  // namespace eco
