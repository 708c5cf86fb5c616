#include "entry.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const auto target = eco::fuzz::targets().at("plan_csv");
  target({reinterpret_cast<const char*>(data), size});
  return 0;
}
