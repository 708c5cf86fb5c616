// RMSNorm, silu with bias, sums and permutations: one row at a time.

#include <cmath>
#include <cstring>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/silu.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

void rms_norm(std::size_t rows, std::size_t dim, const float* x, const float* weight, float* y,
              float* scale) {
  for (std::size_t r = 0; r < rows; ++r, x += dim, y += dim) {
    F8 squares{};
    for (std::size_t i = 0; i < dim; i += kLanes) {
      const F8 value = simd::load(x + i);
      squares = simd::fma(value, value, squares);
    }
    scale[r] = 1.0F / std::sqrt(simd::sum(squares) / static_cast<float>(dim) + 1e-5F);
    const F8 s = simd::set(scale[r]);
    for (std::size_t i = 0; i < dim; i += kLanes) {
      simd::store(y + i, simd::load(x + i) * s * simd::load(weight + i));
    }
  }
}

// With n = x s and p = grad_y weight: grad_x = s (p - n mean(p n)).
void rms_norm_backward(std::size_t rows, std::size_t dim, const float* x, const float* weight,
                       const float* scale, const float* grad_y, float* grad_x, float* grad_weight) {
  for (std::size_t r = 0; r < rows; ++r, x += dim, grad_y += dim, grad_x += dim) {
    const F8 s = simd::set(scale[r]);
    F8 dot{};
    for (std::size_t i = 0; i < dim; i += kLanes) {
      const F8 n = simd::load(x + i) * s;
      const F8 gn = simd::load(grad_y + i) * n;
      dot = simd::fma(gn, simd::load(weight + i), dot);
      simd::store(grad_weight + i, simd::load(grad_weight + i) + gn);
    }
    const F8 mean = simd::set(simd::sum(dot) / static_cast<float>(dim)) * s;
    for (std::size_t i = 0; i < dim; i += kLanes) {
      const F8 p = simd::load(grad_y + i) * simd::load(weight + i);
      simd::store(grad_x + i, s * (p - simd::load(x + i) * mean));
    }
  }
}

void bias_silu(std::size_t rows, std::size_t channels, const float* x, const float* bias,
               float* y) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, y += channels) {
    for (std::size_t i = 0; i < channels; i += kLanes) {
      simd::store(y + i, simd::silu(simd::load(x + i) + simd::load(bias + i)));
    }
  }
}

void bias_silu_backward(std::size_t rows, std::size_t channels, const float* x, const float* bias,
                        const float* grad_y, float* grad_x, float* grad_bias) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, grad_y += channels, grad_x += channels) {
    for (std::size_t i = 0; i < channels; i += kLanes) {
      const F8 value = simd::load(x + i) + simd::load(bias + i);
      const F8 grad = simd::load(grad_y + i) * silu_and_slope(value).slope;
      simd::store(grad_x + i, grad);
      simd::store(grad_bias + i, simd::load(grad_bias + i) + grad);
    }
  }
}

void add_bias(std::size_t rows, std::size_t channels, const float* x, const float* bias, float* y) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, y += channels) {
    for (std::size_t i = 0; i < channels; i += kLanes) {
      simd::store(y + i, simd::load(x + i) + simd::load(bias + i));
    }
  }
}

void add_rows(std::size_t rows, std::size_t channels, const float* x, float* sum) {
  for (std::size_t r = 0; r < rows; ++r, x += channels) {
    for (std::size_t i = 0; i < channels; i += kLanes) {
      simd::store(sum + i, simd::load(sum + i) + simd::load(x + i));
    }
  }
}

void gather_rows(std::size_t rows, std::size_t channels, const float* x, const std::int64_t* order,
                 float* y) {
  for (std::size_t r = 0; r < rows; ++r, y += channels) {
    std::memcpy(y, x + static_cast<std::size_t>(order[r]) * channels, channels * sizeof(float));
  }
}

void scatter_rows(std::size_t rows, std::size_t channels, const float* x, const std::int64_t* order,
                  float* y) {
  for (std::size_t r = 0; r < rows; ++r, x += channels) {
    std::memcpy(y + static_cast<std::size_t>(order[r]) * channels, x, channels * sizeof(float));
  }
}

}  // namespace eco::train::kernels
