#include "core/kernels/score.h"

#include "core/kernels/simd.h"

namespace eco {

using simd::F8;
using simd::kLanes;

void score_open(std::span<const std::uint32_t> open, std::size_t dim, const float* query,
                const float* keys, const float* bias, float* logits) {
  // Eight keys at a time share each load of the query. Keys of large instances come from far away,
  // so those of the next eight are asked for meanwhile. The last few repeat the last key.
  constexpr std::size_t kWide = 8, kLine = 16;
  const std::size_t count = open.size();
  for (std::size_t i = 0; i < count; i += kWide) {
    const auto key_of = [&](std::size_t j) { return keys + open[j < count ? j : count - 1] * dim; };
    const float *key[kWide], *next[kWide];
    for (std::size_t j = 0; j < kWide; ++j) {
      key[j] = key_of(i + j);
      next[j] = key_of(i + kWide + j);
    }
    F8 acc[kWide] = {};
    for (std::size_t line = 0; line < dim; line += kLine) {
      for (std::size_t j = 0; j < kWide; ++j) __builtin_prefetch(next[j] + line);
      for (std::size_t d = line; d < dim && d < line + kLine; d += kLanes) {
        const F8 q = simd::load(query + d);
        for (std::size_t j = 0; j < kWide; ++j) {
          acc[j] = simd::fma(q, simd::load(key[j] + d), acc[j]);
        }
      }
    }
    const F8 dots = simd::sums(acc);
    for (std::size_t j = 0; j < kWide && i + j < count; ++j) {
      logits[i + j] = dots[j] + bias[open[i + j]];
    }
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
