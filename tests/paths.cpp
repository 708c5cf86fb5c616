#include "paths.h"

namespace eco {

std::string source_path(const std::string& name) {
  return ECO_SOURCE_DIR "/" + name;
}
std::string data_path(const std::string& name) {
  return source_path("tests/data/" + name);
}
std::string program_path(const std::string& name) {
  return ECO_BIN_DIR "/" + name;
}
std::string test_weights_path(const std::string& problem) {
  return ECO_TEST_WEIGHTS "/" + problem + "-best.safetensors";
}

}  // namespace eco
