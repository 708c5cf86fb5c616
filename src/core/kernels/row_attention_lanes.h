#pragma once
// The kernels of row_attention.h for vectors V of 8 floats or (in wide/) of 16. Lanes do not meet,
// so both have the same bits.

#include <algorithm>

#include "core/kernels/row_attention.h"
#include "core/kernels/simd.h"

namespace eco {

struct ChosenRows {
  std::span<const std::uint32_t> rows;
  std::size_t heads, width;
  std::size_t stride;
};

template <class V>
class RowAttentionLanes {
 public:
  // out[h] = sum over i of weights[i, h] values[rows[i]][h]
  static void weighted_sums(const ChosenRows& of, const float* weights, const float* values,
                            float* out) {
    for (std::size_t head = 0; head < of.heads; ++head) {
      std::size_t d = head * of.width;
      const std::size_t end = d + of.width;
      for (; d + 32 <= end; d += 32) sum<32 / kLanes>(of, weights + head, values + d, out + d);
      for (; d < end; d += kLanes) sum<1>(of, weights + head, values + d, out + d);
    }
  }

  static void sum_by_head(std::size_t count, std::size_t heads, const float* weights,
                          const float* rows, std::size_t columns, float* out) {
    for (std::size_t head = 0; head < heads; ++head) {
      // The last vector reaches back into the one before, to the same result.
      for (std::size_t at = 0; at < columns; at += kLanes) {
        const std::size_t first = std::min(at, columns - kLanes);
        V acc{};
        for (std::size_t i = 0; i < count; ++i) {
          const V row = simd::load<V>(rows + i * columns + first);
          acc = simd::fma(simd::set<V>(weights[i * heads + head]), row, acc);
        }
        simd::store(out + head * columns + first, acc);
      }
    }
  }

 private:
  static constexpr std::size_t kLanes = simd::lanes<V>;
  // out[0..kLanes * Vectors) = sum over i of weights[i * heads] * values[rows[i]][0..)
  template <std::size_t Vectors>
  static void sum(const ChosenRows& of, const float* weights, const float* values, float* out) {
    V acc[Vectors] = {};
    for (std::size_t i = 0; i < of.rows.size(); ++i) {
      const V weight = simd::set<V>(weights[i * of.heads]);
      const float* value = values + of.rows[i] * of.stride;
      for (std::size_t v = 0; v < Vectors; ++v) {
        acc[v] = simd::fma(weight, simd::load<V>(value + v * kLanes), acc[v]);
      }
    }
    for (std::size_t v = 0; v < Vectors; ++v) simd::store(out + v * kLanes, acc[v]);
  }
};

// wide/row_attention.cpp: width a multiple of 16, columns at least 16, scores of kWideHeads heads.
inline constexpr std::size_t kWideHeads = 4;
void row_scores_wide(const ChosenRows& of, const float* q, const float* keys, float* scores);
void row_sums_wide(const ChosenRows& of, const float* weights, const float* values, float* out);
void sum_by_head_wide(std::size_t count, std::size_t heads, const float* weights, const float* rows,
                      std::size_t columns, float* out);

}  // namespace eco
