#include "core/kernels/row_attention_lanes.h"

namespace eco {

using Lanes = RowAttentionLanes<simd::F16>;

// Four rows at a time; the last ones repeat the last row.
void row_scores_wide(const ChosenRows& of, const float* q, const float* keys, float* scores) {
  using simd::F16;
  constexpr std::size_t kRows = 16 / kWideHeads;
  for (std::size_t first = 0; first < of.rows.size(); first += kRows) {
    const float* key[kRows];
    for (std::size_t r = 0; r < kRows; ++r) {
      key[r] = keys + of.rows[std::min(first + r, of.rows.size() - 1)] * of.stride;
    }
    F16 product[16] = {};
    for (std::size_t d = 0; d < of.width; d += 16) {
      for (std::size_t head = 0; head < kWideHeads; ++head) {
        const std::size_t at = head * of.width + d;
        const F16 query = simd::load<F16>(q + at);
        for (std::size_t r = 0; r < kRows; ++r) {
          F16& sum = product[r * kWideHeads + head];
          sum = simd::fma(query, simd::load<F16>(key[r] + at), sum);
        }
      }
    }
    simd::store(scores + first * kWideHeads, simd::sums(product));
  }
}

void row_sums_wide(const ChosenRows& of, const float* weights, const float* values, float* out) {
  Lanes::weighted_sums(of, weights, values, out);
}

void sum_by_head_wide(std::size_t count, std::size_t heads, const float* weights, const float* rows,
                      std::size_t columns, float* out) {
  Lanes::sum_by_head(count, heads, weights, rows, columns, out);
}

}  // namespace eco
