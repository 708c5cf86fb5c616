#include "train/ops/kernels/conv_lanes.h"

namespace eco::train::kernels {

void conv_silu_wide(const Conv& in, std::size_t end, float* v) {
  ConvLanes<simd::F16>::forward(in, 0, end, v);
}

void conv_silu_backward_wide(const Conv& in, const ConvGradients& grad, std::size_t end) {
  ConvLanes<simd::F16>::backward(in, grad, 0, end);
}

}  // namespace eco::train::kernels
