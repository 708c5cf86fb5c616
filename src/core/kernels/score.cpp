#include "core/kernels/score.h"

#include "core/kernels/simd.h"

namespace eco {

using simd::F8;
using simd::kLanes;

void score_open(std::span<const std::uint32_t> open, std::size_t dim, const float* query,
                const float* keys, const float* bias, float* logits) {
  // Eight keys at a time share each load of the query; a lone key is summed in the same order.
  constexpr std::size_t kWide = 8;
  std::size_t i = 0;
  for (; i + kWide <= open.size(); i += kWide) {
    const float* key[kWide];
    for (std::size_t j = 0; j < kWide; ++j) key[j] = keys + open[i + j] * dim;
    F8 acc[kWide] = {};
    for (std::size_t d = 0; d < dim; d += kLanes) {
      const F8 q = simd::load(query + d);
      for (std::size_t j = 0; j < kWide; ++j) acc[j] = simd::fma(q, simd::load(key[j] + d), acc[j]);
    }
    for (std::size_t j = 0; j < kWide; ++j) logits[i + j] = simd::sum(acc[j]) + bias[open[i + j]];
  }
  for (; i < open.size(); ++i) {
    const float* key = keys + open[i] * dim;
    F8 acc{};
    for (std::size_t d = 0; d < dim; d += kLanes) {
      acc = simd::fma(simd::load(query + d), simd::load(key + d), acc);
    }
    logits[i] = simd::sum(acc) + bias[open[i]];
  }
}

namespace plain {

void score_open(std::span<const std::uint32_t> open, std::size_t dim, const float* query,
                const float* keys, const float* bias, float* logits) {
  for (std::size_t i = 0; i < open.size(); ++i) {
    double sum = bias[open[i]];
    for (std::size_t d = 0; d < dim; ++d) sum += double{query[d]} * keys[open[i] * dim + d];
    logits[i] = static_cast<float>(sum);
  }
}

}  // namespace plain

}  // namespace eco
