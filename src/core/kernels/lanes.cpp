#include "core/kernels/lanes.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace eco::simd {

namespace {

// All that the files of wide/ are compiled for (cmake/EcoTargets.cmake).
bool cpu_is_wide() {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

bool kept_to_eight() {
  const char* lanes = std::getenv("ECO_LANES");
  return lanes != nullptr && std::string_view(lanes) == "8";
}

std::atomic<bool>& wide_flag() {
  static std::atomic<bool> flag = cpu_is_wide() && !kept_to_eight();
  return flag;
}

}  // namespace

bool wide() {
  return wide_flag().load(std::memory_order_relaxed);
}

KeepToEight::KeepToEight() : before_(wide_flag().exchange(false)) {}
KeepToEight::~KeepToEight() {
  wide_flag() = before_;
}

}  // namespace eco::simd
