#pragma once
// Eight floats at a time. F8 is a compiler vector type: arithmetic operators work lane by lane, and
// the compiler lowers it to what the target has (one AVX register at the project's baseline). Only
// the few operations that the operators cannot express are written out here.
// Every reduction has one fixed order, so that a result never depends on anything but its operands.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace eco::simd {

inline constexpr std::size_t kLanes = 8;

using F8 = float __attribute__((vector_size(32)));
using I8 = std::int32_t __attribute__((vector_size(32)));

[[nodiscard]] constexpr std::size_t padded(std::size_t count, std::size_t multiple = kLanes) {
  return (count + multiple - 1) / multiple * multiple;
}

inline F8 load(const float* from) {
  F8 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline void store(float* to, F8 value) {
  std::memcpy(to, &value, sizeof value);
}
inline F8 set(float x) {
  return F8{x, x, x, x, x, x, x, x};
}

// a * b + c in one rounding; the project forbids the compiler to contract by itself.
inline F8 fma(F8 a, F8 b, F8 c) {
#ifdef __FMA__
  return _mm256_fmadd_ps(a, b, c);
#else
  F8 result;
  for (std::size_t i = 0; i < kLanes; ++i) result[i] = std::fma(a[i], b[i], c[i]);
  return result;
#endif
}
inline F8 max(F8 a, F8 b) {
#ifdef __AVX2__
  return _mm256_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}
inline F8 min(F8 a, F8 b) {
#ifdef __AVX2__
  return _mm256_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}

inline float sum(F8 v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}
inline float max_lane(F8 v) {
  float best = v[0];
  for (std::size_t i = 1; i < kLanes; ++i) best = v[i] > best ? v[i] : best;
  return best;
}

// 2^x, relative error about 2e-7; below -126 it is 2^-126, which every caller may treat as zero.
inline F8 exp2(F8 x) {
  const F8 shift =
      set(12582912.0F);  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  x = max(x, set(-126.0F));
  const F8 t = x + shift;
  const F8 f = x - (t - shift);  // in [-0.5, 0.5]
  F8 p = set(1.3390863e-3F);
  p = fma(p, f, set(9.6760319e-3F));
  p = fma(p, f, set(5.5503571e-2F));
  p = fma(p, f, set(2.4022107e-1F));
  p = fma(p, f, set(6.9314719e-1F));
  p = fma(p, f, set(1.0F));
  return std::bit_cast<F8>(std::bit_cast<I8>(p) + (std::bit_cast<I8>(t) << 23));
}

// e^x for x <= 88.
inline F8 exp(F8 x) {
  return exp2(min(x, set(88.0F)) * set(1.44269504F));
}

// log(1 + e^x): max(x, 0) + log1p(e^-|x|), the latter by the atanh series with y / (2 + y) <= 1/3.
inline F8 softplus(F8 x) {
  const F8 zero = F8{};
  const F8 positive = max(x, zero);
  const F8 y = exp(min(x, zero - x));
  const F8 s = y / (y + 2.0F);
  const F8 q = s * s;
  F8 p = set(2.0F / 15);
  p = fma(p, q, set(2.0F / 13));
  p = fma(p, q, set(2.0F / 11));
  p = fma(p, q, set(2.0F / 9));
  p = fma(p, q, set(2.0F / 7));
  p = fma(p, q, set(2.0F / 5));
  p = fma(p, q, set(2.0F / 3));
  p = fma(p, q, set(2.0F));
  return fma(p, s, positive);
}

// x / (1 + e^-x); the bound keeps 2^x from overflowing, far into where the result is 0.
inline F8 silu(F8 x) {
  return x / (exp2(min(x * -1.44269504F, set(126.0F))) + 1.0F);
}

// The sums of eight vectors as the lanes of one: pairs of lanes are added in a tree.
inline F8 sums(const F8 (&v)[8]) {
  const auto merge = [](F8 a, F8 b) {  // [a01 b01 a23 b23 a45 b45 a67 b67]
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  };
  const auto merge_pairs = [](F8 a, F8 b) {
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const F8 low = merge_pairs(merge(v[0], v[1]), merge(v[2], v[3]));
  const F8 high = merge_pairs(merge(v[4], v[5]), merge(v[6], v[7]));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
}

}  // namespace eco::simd
