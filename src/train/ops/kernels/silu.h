#pragma once
// silu and its derivative together, as the backward passes need them.

#include "core/kernels/simd.h"

namespace eco::train::kernels {

struct Silu {
  simd::F8 value, slope;
};

// 1 / (1 + e^-x).
inline simd::F8 sigmoid(simd::F8 x) {
  return simd::set(1.0F) / (simd::exp(simd::max(simd::F8{} - x, simd::set(-87.0F))) + 1.0F);
}

// slope = sigmoid (1 + x (1 - sigmoid)) = sigmoid + value (1 - sigmoid).
inline Silu silu_and_slope(simd::F8 x) {
  const simd::F8 s = sigmoid(x);
  const simd::F8 value = x * s;
  return {value, simd::fma(value, simd::set(1.0F) - s, s)};
}

}  // namespace eco::train::kernels
