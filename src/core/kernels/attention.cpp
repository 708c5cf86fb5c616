#include "core/kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/kernels/norm.h"
#include "core/kernels/simd.h"

namespace eco {

using simd::F8;
using simd::kLanes;

void store_key(std::size_t token, std::size_t dim, const float* key, float* blocked_keys) {
  float* to = blocked_keys + token / kLanes * kLanes * dim + token % kLanes;
  for (std::size_t d = 0; d < dim; ++d) to[d * kLanes] = key[d];
}

namespace {

// The kernels below take some queries at a time: they share every load of a key or value, and sums
// that do not wait for each other fill the time that one addition takes. The sums of a query are
// the same bits whichever queries it is taken with.
constexpr std::size_t kQueriesTogether = 4;

// scores[i, t] = q[i] . key[t] * scale, rows of scores `row` floats apart; keys of one head.
template <std::size_t kQueries>
void head_scores(std::size_t count, std::size_t dim, std::size_t width, const float* q,
                 std::size_t q_stride, const float* blocked_keys, float scale, float* scores,
                 std::size_t row) {
  for (std::size_t block = 0; block * kLanes < count; ++block) {
    const float* key = blocked_keys + block * dim * kLanes;
    F8 acc[kQueries] = {};
    for (std::size_t d = 0; d < width; ++d) {
      const F8 k = simd::load(key + d * kLanes);
      for (std::size_t i = 0; i < kQueries; ++i) {
        acc[i] = simd::fma(simd::set(q[i * q_stride + d]), k, acc[i]);
      }
    }
    for (std::size_t i = 0; i < kQueries; ++i) {
      simd::store(scores + i * row + block * kLanes, acc[i] * scale);
    }
  }
}

// out[i] = sum over t of weight[i, t] values[t] * scale[i], kVectors vectors of a row.
template <std::size_t kQueries, std::size_t kVectors>
void weighted_vectors(std::size_t count, const float* weight, std::size_t row, const float* values,
                      std::size_t stride, const float* scale, float* out, std::size_t out_stride) {
  F8 acc[kQueries][kVectors] = {};
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const F8 value = simd::load(values + t * stride + v * kLanes);
      for (std::size_t i = 0; i < kQueries; ++i) {
        acc[i][v] = simd::fma(simd::set(weight[i * row + t]), value, acc[i][v]);
      }
    }
  }
  for (std::size_t i = 0; i < kQueries; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      simd::store(out + i * out_stride + v * kLanes, acc[i][v] * scale[i]);
    }
  }
}

template <std::size_t kQueries>
void weighted_sums(std::size_t count, const float* weight, std::size_t row, const float* values,
                   std::size_t stride, const float* scale, std::size_t width, float* out,
                   std::size_t out_stride) {
  std::size_t d = 0;
  for (; d + 2 * kLanes <= width; d += 2 * kLanes) {
    weighted_vectors<kQueries, 2>(count, weight, row, values + d, stride, scale, out + d,
                                  out_stride);
  }
  for (; d + kLanes <= width; d += kLanes) {
    weighted_vectors<kQueries, 1>(count, weight, row, values + d, stride, scale, out + d,
                                  out_stride);
  }
  for (; d < width; ++d) {
    for (std::size_t i = 0; i < kQueries; ++i) {
      float acc = 0;
      for (std::size_t t = 0; t < count; ++t) {
        acc = std::fma(weight[i * row + t], values[t * stride + d], acc);
      }
      out[i * out_stride + d] = acc * scale[i];
    }
  }
}

template <std::size_t kQueries>
void attend_together(const AttendedTokens& tokens, std::size_t heads, const float* q,
                     std::size_t q_stride, float* scratch, float* out, std::size_t out_stride) {
  const std::size_t width = tokens.dim / heads, row = simd::padded(tokens.count);
  const float root = 1.0F / std::sqrt(static_cast<float>(width));
  for (std::size_t head = 0; head < heads; ++head) {
    head_scores<kQueries>(tokens.count, tokens.dim, width, q + head * width, q_stride,
                          tokens.blocked_keys + head * width * kLanes, root, scratch, row);
    float scale[kQueries];
    for (std::size_t i = 0; i < kQueries; ++i) {
      scale[i] = 1.0F / exp_in_place({scratch + i * row, tokens.count}).sum;
    }
    weighted_sums<kQueries>(tokens.count, scratch, row, tokens.values + head * width,
                            tokens.value_stride, scale, width, out + head * width, out_stride);
  }
}

}  // namespace

std::size_t attend_scratch(std::size_t count) {
  return kQueriesTogether * simd::padded(count);
}

void attend(std::size_t queries, const AttendedTokens& tokens, std::size_t heads, const float* q,
            std::size_t q_stride, float* scratch, float* out, std::size_t out_stride) {
  std::size_t i = 0;
  for (; i + kQueriesTogether <= queries; i += kQueriesTogether) {
    attend_together<kQueriesTogether>(tokens, heads, q + i * q_stride, q_stride, scratch,
                                      out + i * out_stride, out_stride);
  }
  for (; i < queries; ++i) {
    attend_together<1>(tokens, heads, q + i * q_stride, q_stride, scratch, out + i * out_stride,
                       out_stride);
  }
}

namespace {

// scores[i, h] = q[h].keys[rows[i]][h] + bias[i, h], eight products side by side; the last few
// repeat the last row.
void score_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                const float* q, const float* keys, std::size_t stride, const float* bias,
                float* scores) {
  const std::size_t count = rows.size() * heads;
  std::size_t row = 0, head = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const float *query[kLanes], *key[kLanes];
    for (std::size_t j = 0; j < kLanes; ++j) {
      query[j] = q + head * width;
      key[j] = keys + rows[row] * stride + head * width;
      if (++head < heads) continue;
      head = 0;
      if (row + 1 < rows.size()) ++row;
    }
    F8 acc[kLanes] = {};
    for (std::size_t d = 0; d < width; d += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) {
        acc[j] = simd::fma(simd::load(query[j] + d), simd::load(key[j] + d), acc[j]);
      }
    }
    simd::store(scores + first, simd::sums(acc));
  }
  for (std::size_t i = 0; i < count; ++i) scores[i] += bias[i];
}

// Over the rows of [count, heads], for each head. Room for a multiple of eight numbers.
void softmax_by_head(std::size_t count, std::size_t heads, float* scores) {
  for (std::size_t head = 0; head < heads; ++head) {
    float highest = scores[head];
    for (std::size_t i = 1; i < count; ++i) highest = std::max(highest, scores[i * heads + head]);
    for (std::size_t i = 0; i < count; ++i) scores[i * heads + head] -= highest;
  }
  for (std::size_t i = 0; i < count * heads; i += kLanes) {
    simd::store(scores + i, simd::exp(simd::load(scores + i)));
  }
  for (std::size_t head = 0; head < heads; ++head) {
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += scores[i * heads + head];
    const float share = 1.0F / sum;
    for (std::size_t i = 0; i < count; ++i) scores[i * heads + head] *= share;
  }
}

// out[0..8 * Vectors) = sum over i of weights[i * heads] * values[rows[i]][0..8 * Vectors)
template <std::size_t Vectors>
void sum_rows(std::span<const std::uint32_t> rows, std::size_t heads, const float* weights,
              const float* values, std::size_t stride, float* out) {
  F8 acc[Vectors] = {};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const F8 weight = simd::set(weights[i * heads]);
    const float* value = values + rows[i] * stride;
    for (std::size_t v = 0; v < Vectors; ++v) {
      acc[v] = simd::fma(weight, simd::load(value + v * kLanes), acc[v]);
    }
  }
  for (std::size_t v = 0; v < Vectors; ++v) simd::store(out + v * kLanes, acc[v]);
}

}  // namespace

void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, float* weights, float* out) {
  score_rows(rows, heads, width, q, keys, stride, bias, weights);
  softmax_by_head(rows.size(), heads, weights);
  constexpr std::size_t kTogether = 4;
  for (std::size_t head = 0; head < heads; ++head) {
    std::size_t d = head * width;
    const std::size_t end = d + width;
    for (; d + kTogether * kLanes <= end; d += kTogether * kLanes) {
      sum_rows<kTogether>(rows, heads, weights + head, values + d, stride, out + d);
    }
    for (; d < end; d += kLanes) {
      sum_rows<1>(rows, heads, weights + head, values + d, stride, out + d);
    }
  }
}

void sum_by_head(std::size_t count, std::size_t heads, const float* weights, const float* rows,
                 std::size_t columns, float* out) {
  for (std::size_t head = 0; head < heads; ++head) {
    // The last vector reaches back into the one before, to the same result.
    for (std::size_t at = 0; at < columns; at += kLanes) {
      const std::size_t first = std::min(at, columns - kLanes);
      F8 acc{};
      for (std::size_t i = 0; i < count; ++i) {
        const F8 row = simd::load(rows + i * columns + first);
        acc = simd::fma(simd::set(weights[i * heads + head]), row, acc);
      }
      simd::store(out + head * columns + first, acc);
    }
  }
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

void attend(std::size_t count, std::size_t dim, std::size_t heads, const float* q,
            const float* keys, const float* values, float* out) {
  const std::size_t width = dim / heads;
  for (std::size_t first = 0; first < dim; first += width) {
    std::vector<double> weight(count, 0.0), sums(width, 0.0);
    double total = 0;
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t d = first; d < first + width; ++d)
        weight[t] += double{q[d]} * keys[t * dim + d];
      total += weight[t] = std::exp(weight[t] / std::sqrt(static_cast<double>(width)));
    }
    for (std::size_t d = 0; d < width; ++d) {
      for (std::size_t t = 0; t < count; ++t) sums[d] += weight[t] * values[t * dim + first + d];
      out[first + d] = static_cast<float>(sums[d] / total);
    }
  }
}

}  // namespace plain

}  // namespace eco
