#include "core/kernels/row_attention.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/kernels/lanes.h"
#include "core/kernels/row_attention_lanes.h"

namespace eco {

using simd::F8;
using simd::kLanes;

namespace {

using Lanes = RowAttentionLanes<F8>;

constexpr float kNothing = -1e30F;  // score of what is not there

// scores[i, h] = q[h].keys[rows[i]][h], eight products side by side; the last few repeat the last
// row. A product is the sum of its even and its odd blocks of 8, as 16 lanes have it.
void row_scores(const ChosenRows& of, const float* q, const float* keys, float* scores) {
  const std::size_t count = of.rows.size() * of.heads;
  std::size_t row = 0, head = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const float *query[kLanes], *key[kLanes];
    for (std::size_t j = 0; j < kLanes; ++j) {
      query[j] = q + head * of.width;
      key[j] = keys + of.rows[row] * of.stride + head * of.width;
      if (++head < of.heads) continue;
      head = 0;
      if (row + 1 < of.rows.size()) ++row;
    }
    F8 even[kLanes] = {}, odd[kLanes] = {};
    for (std::size_t d = 0; d < of.width; d += 2 * kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) {
        even[j] = simd::fma(simd::load(query[j] + d), simd::load(key[j] + d), even[j]);
      }
      if (d + kLanes == of.width) break;
      for (std::size_t j = 0; j < kLanes; ++j) {
        odd[j] =
            simd::fma(simd::load(query[j] + d + kLanes), simd::load(key[j] + d + kLanes), odd[j]);
      }
    }
    for (std::size_t j = 0; j < kLanes; ++j) even[j] += odd[j];
    simd::store(scores + first, simd::sums(even));
  }
}

// Heads: a number, or for speed one that the compiler knows.
template <class Heads>
void add_bias(std::size_t count, Heads heads, const float* bias, std::size_t stride,
              float* scores) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t h = 0; h < heads; ++h) scores[i * heads + h] += bias[i * stride + h];
  }
}

// What `combine` makes, for every head, of the lanes l, l + heads, ... of a vector.
template <class Combine>
F8 over_rows(F8 v, std::size_t heads, const Combine& combine) {
  if (heads <= 4) v = combine(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  if (heads <= 2) v = combine(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  if (heads == 1) v = combine(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  return v;
}

// scores [count, heads] as vectors, where a vector holds whole rows. Room for a multiple of eight
// numbers.
void softmax_of_vectors(std::size_t count, std::size_t heads, float* scores) {
  const std::size_t numbers = count * heads, room = simd::padded(numbers);
  std::fill(scores + numbers, scores + room, kNothing);
  F8 highest = simd::load(scores), total{};
  for (std::size_t i = kLanes; i < room; i += kLanes) {
    highest = simd::max(highest, simd::load(scores + i));
  }
  highest = over_rows(highest, heads, [](F8 a, F8 b) { return simd::max(a, b); });
  for (std::size_t i = 0; i < room; i += kLanes) {
    const F8 e = simd::exp(simd::load(scores + i) - highest);
    total += e;
    simd::store(scores + i, e);
  }
  const F8 share = 1.0F / over_rows(total, heads, [](F8 a, F8 b) { return a + b; });
  for (std::size_t i = 0; i < room; i += kLanes) {
    simd::store(scores + i, simd::load(scores + i) * share);
  }
}

// Any number of heads.
void softmax_by_head(std::size_t count, std::size_t heads, float* scores) {
  for (std::size_t head = 0; head < heads; ++head) {
    float highest = kNothing, sum = 0;
    for (std::size_t i = head; i < count * heads; i += heads)
      highest = std::max(highest, scores[i]);
    for (std::size_t i = head; i < count * heads; i += heads) {
      scores[i] = std::exp(scores[i] - highest);
      sum += scores[i];
    }
    for (std::size_t i = head; i < count * heads; i += heads) scores[i] /= sum;
  }
}

}  // namespace

void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, std::size_t bias_stride, float* weights, float* out) {
  const ChosenRows of{rows, heads, width, stride};
  const bool wide = simd::wide() && width % 16 == 0;
  (wide && heads == kWideHeads ? row_scores_wide : row_scores)(of, q, keys, weights);
  const bool whole_rows = kLanes % heads == 0;
  const bool usual = heads == kWideHeads;
  usual ? add_bias(rows.size(), std::integral_constant<std::size_t, kWideHeads>{}, bias,
                   bias_stride, weights)
        : add_bias(rows.size(), heads, bias, bias_stride, weights);
  (whole_rows ? softmax_of_vectors : softmax_by_head)(rows.size(), heads, weights);
  (wide ? row_sums_wide : Lanes::weighted_sums)(of, weights, values, out);
}

void sum_by_head(std::size_t count, std::size_t heads, const float* weights, const float* rows,
                 std::size_t columns, float* out) {
  const bool wide = simd::wide() && columns >= 16;
  (wide ? sum_by_head_wide : Lanes::sum_by_head)(count, heads, weights, rows, columns, out);
}

namespace plain {

void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, float* weights, float* out) {
  for (std::size_t head = 0; head < heads; ++head) {
    double total = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double score = bias[i * heads + head];
      for (std::size_t d = head * width; d < (head + 1) * width; ++d) {
        score += double{q[d]} * keys[rows[i] * stride + d];
      }
      total += std::exp(score);
      weights[i * heads + head] = static_cast<float>(std::exp(score));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights[i * heads + head] = static_cast<float>(weights[i * heads + head] / total);
    }
    for (std::size_t d = head * width; d < (head + 1) * width; ++d) {
      double sum = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        sum += double{weights[i * heads + head]} * values[rows[i] * stride + d];
      }
      out[d] = static_cast<float>(sum);
    }
  }
}

}  // namespace plain

}  // namespace eco
