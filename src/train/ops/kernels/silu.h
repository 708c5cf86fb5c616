#pragma once
// silu and its derivative together, as the backward passes need them.

#include "core/kernels/simd.h"

namespace eco::train::kernels {

template <class V>
struct Silu {
  V value, slope;
};

// 1 / (1 + e^-x).
template <class V>
inline V sigmoid(V x) {
  return simd::set<V>(1.0F) / (simd::exp(simd::max(V{} - x, simd::set<V>(-87.0F))) + 1.0F);
}

// slope = sigmoid (1 + x (1 - sigmoid)) = sigmoid + value (1 - sigmoid).
template <class V>
inline Silu<V> silu_and_slope(V x) {
  const V s = sigmoid(x);
  const V value = x * s;
  return {value, simd::fma(value, simd::set<V>(1.0F) - s, s)};
}

}  // namespace eco::train::kernels
