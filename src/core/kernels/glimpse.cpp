#include "core/kernels/glimpse.h"

#include <algorithm>

#include "core/kernels/simd.h"

namespace eco {

using simd::F8;
using simd::kLanes;

std::size_t glimpse_scratch(std::size_t count, std::size_t heads) {
  return count * simd::padded(heads);
}

namespace {

// weights [count, padded heads]: the products of query and keys, eight heads in a vector.
void head_products(std::span<const std::uint32_t> open, std::size_t heads, std::size_t width,
                   const float* q, const float* keys, std::size_t stride, float* weights) {
  const std::size_t row = simd::padded(heads);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const float* key = keys + open[i] * stride;
    for (std::size_t group = 0; group < heads; group += kLanes) {
      F8 acc[kLanes] = {};
      for (std::size_t lane = 0; lane < kLanes && group + lane < heads; ++lane) {
        const std::size_t first = (group + lane) * width;
        for (std::size_t d = first; d < first + width; d += kLanes) {
          acc[lane] = simd::fma(simd::load(q + d), simd::load(key + d), acc[lane]);
        }
      }
      simd::store(weights + i * row + group, simd::sums(acc));
    }
  }
}

// Each column of weights [count, row] becomes exp(w - max); sums [row].
void column_exponentials(std::size_t count, std::size_t row, float* weights, float* sums) {
  for (std::size_t group = 0; group < row; group += kLanes) {
    float* column = weights + group;
    F8 highest = simd::load(column), sum{};
    for (std::size_t i = 1; i < count; ++i) {
      highest = simd::max(highest, simd::load(column + i * row));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const F8 e = simd::exp(simd::load(column + i * row) - highest);
      sum += e;
      simd::store(column + i * row, e);
    }
    simd::store(sums + group, sum);
  }
}

}  // namespace

void glimpse(std::span<const std::uint32_t> open, std::size_t heads, std::size_t width,
             const float* q, const float* keys, const float* values, std::size_t stride,
             float* scratch, float* out) {
  constexpr std::size_t kMostHeads = 1024;  // dim is at most that
  float sums[kMostHeads];
  const std::size_t row = simd::padded(heads);
  head_products(open, heads, width, q, keys, stride, scratch);
  column_exponentials(open.size(), row, scratch, sums);
  // Some vectors of a row at a time: sums that do not wait for each other.
  constexpr std::size_t kVectors = 8;
  const std::size_t vectors = heads * width / kLanes, a_head = width / kLanes;
  for (std::size_t first = 0; first < vectors; first += kVectors) {
    const std::size_t count = std::min(kVectors, vectors - first);
    F8 acc[kVectors] = {};
    for (std::size_t i = 0; i < open.size(); ++i) {
      const float* value = values + open[i] * stride + first * kLanes;
      const float* weight = scratch + i * row;
      for (std::size_t v = 0; v < count; ++v) {
        acc[v] = simd::fma(simd::set(weight[(first + v) / a_head]), simd::load(value + v * kLanes),
                           acc[v]);
      }
    }
    for (std::size_t v = 0; v < count; ++v) {
      simd::store(out + (first + v) * kLanes, acc[v] * (1.0F / sums[(first + v) / a_head]));
    }
  }
}

void clip_logits(float bound, std::span<float> logits) {
  // tanh(x) = 1 - 2 / (e^2x + 1); beyond 10 it is 1 in a float.
  const auto clipped = [bound](F8 x) {
    const F8 bounded = simd::max(simd::min(x, simd::set(10.0F)), simd::set(-10.0F));
    return (1.0F - 2.0F / (simd::exp(bounded * 2.0F) + 1.0F)) * bound;
  };
  std::size_t i = 0;
  for (; i + kLanes <= logits.size(); i += kLanes) {
    simd::store(logits.data() + i, clipped(simd::load(logits.data() + i)));
  }
  if (i == logits.size()) return;
  float rest[kLanes] = {};
  std::copy(logits.begin() + static_cast<std::ptrdiff_t>(i), logits.end(), rest);
  simd::store(rest, clipped(simd::load(rest)));
  std::copy_n(rest, logits.size() - i, logits.data() + i);
}

}  // namespace eco
