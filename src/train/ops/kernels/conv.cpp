// Causal depthwise convolution of width 4 with silu.

#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/silu.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

struct Taps {
  F8 w[kConv];
};

// The weights of eight channels.
Taps load_taps(const float* weight, std::size_t channels) {
  Taps taps;
  for (std::size_t k = 0; k < kConv; ++k) taps.w[k] = simd::load(weight + k * channels);
  return taps;
}

}  // namespace

void conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t u_stride,
               const float* weight, const float* bias, float* v) {
  for (std::size_t c = 0; c < channels; c += kLanes) {
    const Taps taps = load_taps(weight + c, channels);
    const F8 b = simd::load(bias + c);
    F8 u0{}, u1{}, u2{};
    for (std::size_t t = 0; t < length; ++t) {
      const F8 u3 = simd::load(u + t * u_stride + c);
      F8 sum = simd::fma(taps.w[0], u0, b);
      sum = simd::fma(taps.w[1], u1, sum);
      sum = simd::fma(taps.w[2], u2, sum);
      sum = simd::fma(taps.w[3], u3, sum);
      simd::store(v + t * channels + c, simd::silu(sum));
      u0 = u1;
      u1 = u2;
      u2 = u3;
    }
  }
}

// Last step first: grad_u at t needs the gradients of the sums at t .. t + 3, which stay in
// registers; the sums themselves are made again from u.
void conv_silu_backward(std::size_t length, std::size_t channels, const float* u,
                        std::size_t u_stride, const float* weight, const float* bias,
                        const float* grad_v, float* grad_u, std::size_t grad_u_stride,
                        float* grad_weight, float* grad_bias) {
  for (std::size_t c = 0; c < channels; c += kLanes) {
    const Taps taps = load_taps(weight + c, channels);
    const F8 b = simd::load(bias + c);
    const auto input = [&](std::size_t t, std::size_t back) {
      return t >= back ? simd::load(u + (t - back) * u_stride + c) : F8{};
    };
    Taps grad_taps{};
    F8 grad_b{}, after1{}, after2{}, after3{};  // gradients of the sums at t + 1, t + 2, t + 3
    F8 u0, u1 = input(length - 1, 2), u2 = input(length - 1, 1), u3 = input(length - 1, 0);
    for (std::size_t t = length; t-- > 0;) {
      u0 = input(t, 3);
      F8 sum = simd::fma(taps.w[0], u0, b);
      sum = simd::fma(taps.w[1], u1, sum);
      sum = simd::fma(taps.w[2], u2, sum);
      sum = simd::fma(taps.w[3], u3, sum);
      const F8 grad = simd::load(grad_v + t * channels + c) * silu_and_slope(sum).slope;
      grad_b += grad;
      grad_taps.w[0] = simd::fma(grad, u0, grad_taps.w[0]);
      grad_taps.w[1] = simd::fma(grad, u1, grad_taps.w[1]);
      grad_taps.w[2] = simd::fma(grad, u2, grad_taps.w[2]);
      grad_taps.w[3] = simd::fma(grad, u3, grad_taps.w[3]);
      F8 back = taps.w[3] * grad;
      back = simd::fma(taps.w[2], after1, back);
      back = simd::fma(taps.w[1], after2, back);
      back = simd::fma(taps.w[0], after3, back);
      simd::store(grad_u + t * grad_u_stride + c, back);
      after3 = after2;
      after2 = after1;
      after1 = grad;
      u3 = u2;
      u2 = u1;
      u1 = u0;
    }
    simd::store(grad_bias + c, simd::load(grad_bias + c) + grad_b);
    for (std::size_t k = 0; k < kConv; ++k) {
      float* at = grad_weight + k * channels + c;
      simd::store(at, simd::load(at) + grad_taps.w[k]);
    }
  }
}

}  // namespace eco::train::kernels
