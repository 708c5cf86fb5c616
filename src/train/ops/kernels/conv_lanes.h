#pragma once
// Causal depthwise convolution of width 4 with silu, over a range of channels, for vectors V of 8
// floats or (in wide/) of 16.

#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/silu.h"

namespace eco::train::kernels {

struct Conv {
  std::size_t length, channels;
  const float* u;  // [length, channels] with u_stride
  std::size_t u_stride;
  const float *weight, *bias;  // [4, channels], [channels]
};
struct ConvGradients {
  const float* v;  // [length, channels]
  float* u;        // [length, channels] with u_stride
  std::size_t u_stride;
  float *weight, *bias;
};

template <class V>
class ConvLanes {
 public:
  // Channels from `begin` to `end`, whole vectors.
  static void forward(const Conv& in, std::size_t begin, std::size_t end, float* v) {
    for (std::size_t c = begin; c < end; c += simd::lanes<V>) {
      const Taps taps = load_taps(in, c);
      const V b = simd::load<V>(in.bias + c);
      V u0{}, u1{}, u2{};
      for (std::size_t t = 0; t < in.length; ++t) {
        const V u3 = input(in, c, t, 0);
        simd::store(v + t * in.channels + c, simd::silu(taps.sum(u0, u1, u2, u3, b)));
        u0 = u1;
        u1 = u2;
        u2 = u3;
      }
    }
  }

  // Last step first: grad.u at t needs the gradients of the sums at t .. t + 3, which stay in
  // registers; the sums themselves are made again from u.
  static void backward(const Conv& in, const ConvGradients& grad, std::size_t begin,
                       std::size_t end) {
    for (std::size_t c = begin; c < end; c += simd::lanes<V>) {
      const Taps taps = load_taps(in, c);
      const V b = simd::load<V>(in.bias + c);
      Taps grad_taps{};
      V grad_b{}, after1{}, after2{}, after3{};  // gradients of the sums at t + 1, t + 2, t + 3
      const std::size_t last = in.length - 1;
      V u0, u1 = input(in, c, last, 2), u2 = input(in, c, last, 1), u3 = input(in, c, last, 0);
      for (std::size_t t = in.length; t-- > 0;) {
        u0 = input(in, c, t, 3);
        const V sum = taps.sum(u0, u1, u2, u3, b);
        const V g = simd::load<V>(grad.v + t * in.channels + c) * silu_and_slope(sum).slope;
        grad_b += g;
        grad_taps.w[0] = simd::fma(g, u0, grad_taps.w[0]);
        grad_taps.w[1] = simd::fma(g, u1, grad_taps.w[1]);
        grad_taps.w[2] = simd::fma(g, u2, grad_taps.w[2]);
        grad_taps.w[3] = simd::fma(g, u3, grad_taps.w[3]);
        V back = taps.w[3] * g;
        back = simd::fma(taps.w[2], after1, back);
        back = simd::fma(taps.w[1], after2, back);
        back = simd::fma(taps.w[0], after3, back);
        simd::store(grad.u + t * grad.u_stride + c, back);
        after3 = after2;
        after2 = after1;
        after1 = g;
        u3 = u2;
        u2 = u1;
        u1 = u0;
      }
      simd::store(grad.bias + c, simd::load<V>(grad.bias + c) + grad_b);
      for (std::size_t k = 0; k < kConv; ++k) {
        float* at = grad.weight + k * in.channels + c;
        simd::store(at, simd::load<V>(at) + grad_taps.w[k]);
      }
    }
  }

 private:
  struct Taps {
    V w[kConv];
    [[nodiscard]] V sum(V u0, V u1, V u2, V u3, V bias) const {
      V sum = simd::fma(w[0], u0, bias);
      sum = simd::fma(w[1], u1, sum);
      sum = simd::fma(w[2], u2, sum);
      return simd::fma(w[3], u3, sum);
    }
  };

  static Taps load_taps(const Conv& in, std::size_t channel) {
    Taps taps;
    for (std::size_t k = 0; k < kConv; ++k) {
      taps.w[k] = simd::load<V>(in.weight + k * in.channels + channel);
    }
    return taps;
  }

  // The input `back` steps before t.
  static V input(const Conv& in, std::size_t channel, std::size_t t, std::size_t back) {
    return t >= back ? simd::load<V>(in.u + (t - back) * in.u_stride + channel) : V{};
  }
};

// wide/conv.cpp: channels up to `end`.
void conv_silu_wide(const Conv& in, std::size_t end, float* v);
void conv_silu_backward_wide(const Conv& in, const ConvGradients& grad, std::size_t end);

}  // namespace eco::train::kernels
