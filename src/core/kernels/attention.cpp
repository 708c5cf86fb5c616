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

namespace plain {

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
