#pragma once
// Eight or sixteen floats at a time. F8 and F16 are compiler vector types: arithmetic operators
// work lane by lane, and the compiler lowers them to what the target has (F8: one register at the
// project's baseline). Only the few operations that the operators cannot express are written out
// here. Every reduction has one fixed order, so that a result never depends on anything but its
// operands.
//
// F16 is for src/*/wide alone, whose files are compiled for AVX-512 and never name F8: so nothing
// that is compiled there has the name of something that runs on every CPU.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace eco::simd {

inline constexpr std::size_t kLanes = 8;

using F8 = float __attribute__((vector_size(32)));
using I8 = std::int32_t __attribute__((vector_size(32)));
using F16 = float __attribute__((vector_size(64)));
using I16 = std::int32_t __attribute__((vector_size(64)));

template <class V>
inline constexpr std::size_t lanes = sizeof(V) / sizeof(float);

[[nodiscard]] constexpr std::size_t padded(std::size_t count, std::size_t multiple = kLanes) {
  return (count + multiple - 1) / multiple * multiple;
}

template <class V = F8>
inline V load(const float* from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class V>
inline void store(float* to, V value) {
  std::memcpy(to, &value, sizeof value);
}
template <class V = F8>
inline V set(float x) {
  if constexpr (lanes<V> == 16) {
    return V{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
  } else {
    return V{x, x, x, x, x, x, x, x};
  }
}

// a * b + c in one rounding; the project forbids the compiler to contract by itself.
template <class V>
inline V fma(V a, V b, V c) {
#ifdef __AVX512F__
  if constexpr (lanes<V> == 16) return _mm512_fmadd_ps(a, b, c);
#endif
#ifdef __FMA__
  if constexpr (lanes<V> == 8) return _mm256_fmadd_ps(a, b, c);
#endif
  V result;
  for (std::size_t i = 0; i < lanes<V>; ++i) result[i] = std::fma(a[i], b[i], c[i]);
  return result;
}
template <class V>
inline V max(V a, V b) {
#ifdef __AVX512F__  // with a mask of all lanes, since GCC 12 warns of its own _mm512_max_ps
  if constexpr (lanes<V> == 16) return _mm512_maskz_max_ps(0xFFFF, a, b);
#endif
#ifdef __AVX2__
  if constexpr (lanes<V> == 8) return _mm256_max_ps(a, b);
#endif
  return a > b ? a : b;
}
template <class V>
inline V min(V a, V b) {
#ifdef __AVX512F__
  if constexpr (lanes<V> == 16) return _mm512_maskz_min_ps(0xFFFF, a, b);
#endif
#ifdef __AVX2__
  if constexpr (lanes<V> == 8) return _mm256_min_ps(a, b);
#endif
  return a < b ? a : b;
}

// ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)), as in sums() below.
inline float sum(F8 v) {
  const F8 twos = v + __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
  const F8 fours = twos + __builtin_shufflevector(twos, twos, 2, 3, 0, 1, 6, 7, 4, 5);
  return fours[0] + fours[4];
}
inline float max_lane(F8 v) {
  float best = v[0];
  for (std::size_t i = 1; i < kLanes; ++i) best = v[i] > best ? v[i] : best;
  return best;
}

// 2^x, relative error about 2e-7; below -126 it is 2^-126, which every caller may treat as zero.
template <class V>
inline V exp2(V x) {
  using Ints = std::conditional_t<lanes<V> == 16, I16, I8>;
  const V shift =
      set<V>(12582912.0F);  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  x = max(x, set<V>(-126.0F));
  const V t = x + shift;
  const V f = x - (t - shift);  // in [-0.5, 0.5]
  V p = set<V>(1.3390863e-3F);
  p = fma(p, f, set<V>(9.6760319e-3F));
  p = fma(p, f, set<V>(5.5503571e-2F));
  p = fma(p, f, set<V>(2.4022107e-1F));
  p = fma(p, f, set<V>(6.9314719e-1F));
  p = fma(p, f, set<V>(1.0F));
  return std::bit_cast<V>(std::bit_cast<Ints>(p) + (std::bit_cast<Ints>(t) << 23));
}

// e^x for x <= 88.
template <class V>
inline V exp(V x) {
  return exp2(min(x, set<V>(88.0F)) * set<V>(1.44269504F));
}

// log(1 + e^x): max(x, 0) + log1p(e^-|x|), the latter by the atanh series with y / (2 + y) <= 1/3.
template <class V>
inline V softplus(V x) {
  const V zero = V{};
  const V positive = max(x, zero);
  const V y = exp(min(x, zero - x));
  const V s = y / (y + 2.0F);
  const V q = s * s;
  V p = set<V>(2.0F / 15);
  p = fma(p, q, set<V>(2.0F / 13));
  p = fma(p, q, set<V>(2.0F / 11));
  p = fma(p, q, set<V>(2.0F / 9));
  p = fma(p, q, set<V>(2.0F / 7));
  p = fma(p, q, set<V>(2.0F / 5));
  p = fma(p, q, set<V>(2.0F / 3));
  p = fma(p, q, set<V>(2.0F));
  return fma(p, s, positive);
}

// x / (1 + e^-x); the bound keeps 2^x from overflowing, far into where the result is 0.
template <class V>
inline V silu(V x) {
  return x / (exp2(min(x * -1.44269504F, set<V>(126.0F))) + 1.0F);
}

// The sums of eight vectors as the lanes of one, each with the bits of sum().
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
// The same of sixteen, the lower half of a vector added to the upper one first. A template, so that
// only wide/ has it.
template <class V>
inline V sums(const V (&v)[16]) {
  static_assert(lanes<V> == 16);
  const auto fold = [](V a, V b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
           __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                                   31);
  };
  const auto merge = [](V a, V b) {
    return __builtin_shufflevector(a, b, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14,
                                   30) +
           __builtin_shufflevector(a, b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
  };
  const auto merge_pairs = [](V a, V b) {
    return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
           __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30,
                                   31);
  };
  V both[8];
  for (std::size_t j = 0; j < 8; ++j) both[j] = fold(v[j], v[j + 8]);
  const V low = merge_pairs(merge(both[0], both[1]), merge(both[2], both[3]));
  const V high = merge_pairs(merge(both[4], both[5]), merge(both[6], both[7]));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26,
                                 27) +
         __builtin_shufflevector(low, high, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30,
                                 31);
}

}  // namespace eco::simd
