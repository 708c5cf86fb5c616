#pragma once
// Products of matrices that are too small for a library call, a dozen rows and columns each, and
// the transposition of such.

#include <cstddef>

#include "core/kernels/simd.h"

namespace eco::train::kernels {

// c [rows, columns] = a b: element (i, k) of a at a[i * row + k * step], so that a transposed one
// needs no copy; rows of b and c lie one stride apart, their columns are whole vectors.
struct SmallProduct {
  std::size_t inner;
  const float* a;
  std::size_t row, step;
  const float* b;
  std::size_t b_stride;
  float* c;
  std::size_t c_stride;
};

template <std::size_t Rows, std::size_t Vectors>
inline void small_tile(const SmallProduct& p, std::size_t i, std::size_t column) {
  simd::F8 sums[Rows][Vectors] = {};
  const float *a = p.a + i * p.row, *b = p.b + column;
  for (std::size_t k = 0; k < p.inner; ++k, a += p.step, b += p.b_stride) {
    simd::F8 values[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) values[v] = simd::load(b + v * simd::kLanes);
    for (std::size_t r = 0; r < Rows; ++r) {
      const simd::F8 factor = simd::set(a[r * p.row]);
      for (std::size_t v = 0; v < Vectors; ++v) {
        sums[r][v] = simd::fma(factor, values[v], sums[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    float* c = p.c + (i + r) * p.c_stride + column;
    for (std::size_t v = 0; v < Vectors; ++v) simd::store(c + v * simd::kLanes, sums[r][v]);
  }
}

template <std::size_t Vectors>
inline void small_panel(const SmallProduct& p, std::size_t rows, std::size_t column) {
  std::size_t i = 0;
  for (; i + 6 <= rows; i += 6) small_tile<6, Vectors>(p, i, column);
  switch (rows - i) {
    case 5:
      return small_tile<5, Vectors>(p, i, column);
    case 4:
      return small_tile<4, Vectors>(p, i, column);
    case 3:
      return small_tile<3, Vectors>(p, i, column);
    case 2:
      return small_tile<2, Vectors>(p, i, column);
    case 1:
      return small_tile<1, Vectors>(p, i, column);
    default:
      return;
  }
}

inline void multiply(const SmallProduct& p, std::size_t rows, std::size_t columns) {
  std::size_t column = 0;
  for (; column + 2 * simd::kLanes <= columns; column += 2 * simd::kLanes) {
    small_panel<2>(p, rows, column);
  }
  if (column < columns) small_panel<1>(p, rows, column);
}

// columns [width, padded rows] = x^T, x [rows, width] with a stride; zero from `rows` on. The width
// is whole vectors.
inline void transpose(std::size_t rows, std::size_t width, const float* x, std::size_t stride,
                      float* columns) {
  using simd::F8;
  const std::size_t tall = simd::padded(rows);
  for (std::size_t i = 0; i < rows; i += simd::kLanes) {
    for (std::size_t w = 0; w < width; w += simd::kLanes) {
      F8 in[8] = {}, pairs[8], fours[8];
      for (std::size_t r = 0; r < simd::kLanes && i + r < rows; ++r) {
        in[r] = simd::load(x + (i + r) * stride + w);
      }
      for (std::size_t r = 0; r < 8; r += 2) {
        pairs[r] = __builtin_shufflevector(in[r], in[r + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[r + 1] = __builtin_shufflevector(in[r], in[r + 1], 2, 10, 3, 11, 6, 14, 7, 15);
      }
      for (std::size_t r = 0; r < 8; r += 4) {
        for (std::size_t half = 0; half < 2; ++half) {
          const F8 a = pairs[r + half], b = pairs[r + 2 + half];
          fours[r + 2 * half] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
          fours[r + 2 * half + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
      }
      for (std::size_t c = 0; c < 4; ++c) {
        float* out = columns + (w + c) * tall + i;
        simd::store(out, __builtin_shufflevector(fours[c], fours[c + 4], 0, 1, 2, 3, 8, 9, 10, 11));
        simd::store(out + 4 * tall,
                    __builtin_shufflevector(fours[c], fours[c + 4], 4, 5, 6, 7, 12, 13, 14, 15));
      }
    }
  }
}

}  // namespace eco::train::kernels
