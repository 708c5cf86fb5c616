#include "core/kernels/lanes.h"
#include "train/ops/kernels/conv_lanes.h"

namespace eco::train::kernels {

using simd::F8;

void conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t u_stride,
               const float* weight, const float* bias, float* v) {
  const Conv in{length, channels, u, u_stride, weight, bias};
  const std::size_t wide = simd::wide_part(channels);
  if (wide > 0) conv_silu_wide(in, wide, v);
  ConvLanes<F8>::forward(in, wide, channels, v);
}

void conv_silu_backward(std::size_t length, std::size_t channels, const float* u,
                        std::size_t u_stride, const float* weight, const float* bias,
                        const float* grad_v, float* grad_u, std::size_t grad_u_stride,
                        float* grad_weight, float* grad_bias) {
  const Conv in{length, channels, u, u_stride, weight, bias};
  const ConvGradients grad{grad_v, grad_u, grad_u_stride, grad_weight, grad_bias};
  const std::size_t wide = simd::wide_part(channels);
  if (wide > 0) conv_silu_backward_wide(in, grad, wide);
  ConvLanes<F8>::backward(in, grad, wide, channels);
}

}  // namespace eco::train::kernels
