#pragma once
// How many floats the kernels take at a time: 16 where the CPU has AVX-512, else 8. What is hot is
// compiled for both, the former in wide/, which nobody may enter unless wide(); either gives the
// same bits.

#include <cstddef>

namespace eco::simd {

// 16 lanes. Decided once; ECO_LANES=8 in the environment keeps to 8.
[[nodiscard]] bool wide();

// How many of `count` channels, from the first on, go through kernels of 16 lanes.
[[nodiscard]] inline std::size_t wide_part(std::size_t count) {
  return wide() ? count / 16 * 16 : 0;
}

// For tests and measurements: 8 lanes while it lives.
class KeepToEight {
 public:
  KeepToEight();
  ~KeepToEight();
  KeepToEight(const KeepToEight&) = delete;
  KeepToEight& operator=(const KeepToEight&) = delete;

 private:
  bool before_;
};

}  // namespace eco::simd
