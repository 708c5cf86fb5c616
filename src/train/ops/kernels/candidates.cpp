// What the candidate scorer gathers from its tokens: rows of the candidates, added or multiplied.

#include <cmath>
#include <cstring>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

void candidate_input(const CandidateSets& in, std::size_t width, const float* x, const float* bias,
                     const float* states, const float* nodes, float* y) {
  for (std::size_t set = 0; set < in.sets; ++set, states += width) {
    for (std::size_t j = 0; j < in.k; ++j, x += width, y += width) {
      const float* node = nodes + static_cast<std::size_t>(in.candidates[set * in.k + j]) * width;
      for (std::size_t i = 0; i < width; i += kLanes) {
        const F8 sum = simd::load(x + i) + simd::load(bias + i) + simd::load(states + i) +
                       simd::load(node + i);
        simd::store(y + i, simd::max(sum, F8{}));
      }
    }
  }
}

void candidate_input_backward(const CandidateSets& in, std::size_t width, const float* y,
                              const float* grad_y, float* grad_x, float* grad_bias,
                              float* grad_states, float* grad_nodes) {
  for (std::size_t set = 0; set < in.sets; ++set, grad_states += width) {
    std::memset(grad_states, 0, width * sizeof(float));
    for (std::size_t j = 0; j < in.k; ++j, y += width, grad_y += width, grad_x += width) {
      float* node = grad_nodes + static_cast<std::size_t>(in.candidates[set * in.k + j]) * width;
      for (std::size_t i = 0; i < width; i += kLanes) {
        const F8 grad = simd::load(y + i) > F8{} ? simd::load(grad_y + i) : F8{};
        simd::store(grad_x + i, grad);
        simd::store(grad_states + i, simd::load(grad_states + i) + grad);
        simd::store(node + i, simd::load(node + i) + grad);
      }
    }
    for (std::size_t i = 0; i < width; i += kLanes) {
      simd::store(grad_bias + i, simd::load(grad_bias + i) + simd::load(grad_states + i));
    }
  }
}

void candidate_dots(const CandidateSets& in, std::size_t dim, const float* q, const float* keys,
                    const float* bias, float* y) {
  const float scale = 1.0F / std::sqrt(static_cast<float>(dim));
  for (std::size_t set = 0; set < in.sets; ++set, q += dim) {
    for (std::size_t j = 0; j < in.k; ++j) {
      const auto token = static_cast<std::size_t>(in.candidates[set * in.k + j]);
      const float* key = keys + token * dim;
      F8 even{};
      for (std::size_t i = 0; i < dim; i += kLanes) {
        even = simd::fma(simd::load(q + i), simd::load(key + i), even);
      }
      y[set * in.k + j] = simd::sum(even) * scale + bias[token];
    }
  }
}

void candidate_dots_backward(const CandidateSets& in, std::size_t dim, const float* q,
                             const float* keys, const float* grad_y, float* grad_q,
                             float* grad_keys, float* grad_bias) {
  const float scale = 1.0F / std::sqrt(static_cast<float>(dim));
  for (std::size_t set = 0; set < in.sets; ++set, q += dim, grad_q += dim) {
    std::memset(grad_q, 0, dim * sizeof(float));
    for (std::size_t j = 0; j < in.k; ++j) {
      const auto token = static_cast<std::size_t>(in.candidates[set * in.k + j]);
      const float grad = grad_y[set * in.k + j];
      grad_bias[token] += grad;
      if (grad == 0.0F) continue;  // masked, or a step without a loss
      const F8 g = simd::set(grad * scale);
      const float* key = keys + token * dim;
      float* grad_key = grad_keys + token * dim;
      for (std::size_t i = 0; i < dim; i += kLanes) {
        simd::store(grad_q + i, simd::fma(g, simd::load(key + i), simd::load(grad_q + i)));
        simd::store(grad_key + i, simd::fma(g, simd::load(q + i), simd::load(grad_key + i)));
      }
    }
  }
}

}  // namespace eco::train::kernels
