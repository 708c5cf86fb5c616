#include "core/kernels/ssm.h"

#include <cassert>
#include <cmath>

#include "core/kernels/lanes.h"
#include "core/kernels/ssm_lanes.h"

namespace eco {

using simd::F8;
using simd::kLanes;

AlignedBuffer<float> blocked(std::span<const float> values, std::size_t channels,
                             std::size_t depth) {
  assert(values.size() == channels * depth && channels % kLanes == 0);
  AlignedBuffer<float> result(values.size());
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t d = 0; d < depth; ++d) {
      result[(c / kLanes * depth + d) * kLanes + c % kLanes] = values[c * depth + d];
    }
  }
  return result;
}

void causal_conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t past,
                      const float* weight, const float* bias, float* v) {
  const ConvInput in{u, past, weight, bias};
  const std::size_t wide = simd::wide_part(channels);
  if (wide > 0) causal_conv_silu_wide(length, channels, wide, in, v);
  SsmLanes<F8>::causal_conv_silu(length, channels, wide, channels, in, v);
}

void conv_step_silu(std::size_t channels, std::size_t step, const float* u, float* history,
                    const float* weight, const float* bias, float* v) {
  float* oldest = history + step % 3 * channels;
  const float* middle = history + (step + 1) % 3 * channels;
  const float* newest = history + (step + 2) % 3 * channels;
  for (std::size_t c = 0; c < channels; c += kLanes) {
    const float* w = weight + c * kConv;
    const F8 now = simd::load(u + c);
    F8 acc = simd::fma(simd::load(w), simd::load(oldest + c), simd::load(bias + c));
    acc = simd::fma(simd::load(w + 8), simd::load(middle + c), acc);
    acc = simd::fma(simd::load(w + 16), simd::load(newest + c), acc);
    acc = simd::fma(simd::load(w + 24), now, acc);
    simd::store(oldest + c, now);
    simd::store(v + c, simd::silu(acc));
  }
}

void selective_scan(std::size_t length, std::size_t channels, const ScanInput& in, float* state,
                    float* y) {
  const std::size_t wide = simd::wide_part(channels);
  if (wide > 0) selective_scan_wide(length, channels, wide, in, state, y);
  SsmLanes<F8>::selective_scan(length, channels, wide, channels, in, state, y);
}

void lti_step(std::size_t channels, const float* v, const float* gate, const float* a,
              const float* cb, const float* skip, float* state, float* y) {
  for (std::size_t c = 0; c < channels; c += kLanes) {
    const F8 now = simd::load(v + c);
    F8 even{}, odd = simd::load(skip + c) * now;
    for (std::size_t s = 0; s < kState; s += 2) {
      const std::size_t at = c * kState + s * kLanes;
      const F8 h0 = simd::fma(simd::load(a + at), simd::load(state + at), now);
      const F8 h1 = simd::fma(simd::load(a + at + kLanes), simd::load(state + at + kLanes), now);
      simd::store(state + at, h0);
      simd::store(state + at + kLanes, h1);
      even = simd::fma(h0, simd::load(cb + at), even);
      odd = simd::fma(h1, simd::load(cb + at + kLanes), odd);
    }
    simd::store(y + c, (even + odd) * simd::load(gate + c));
  }
}

namespace plain {

namespace {
std::size_t block_index(std::size_t channel, std::size_t s, std::size_t depth) {
  return (channel / kLanes * depth + s) * kLanes + channel % kLanes;
}
}  // namespace

void causal_conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t past,
                      const float* weight, const float* bias, float* v) {
  for (std::size_t t = 0; t < length; ++t) {
    for (std::size_t c = 0; c < channels; ++c) {
      double sum = bias[c];
      for (std::size_t back = 0; back < kConv && back <= t + past; ++back) {
        sum += double{weight[block_index(c, kConv - 1 - back, kConv)]} *
               *(u +
                 (static_cast<std::ptrdiff_t>(t) - static_cast<std::ptrdiff_t>(back)) *
                     static_cast<std::ptrdiff_t>(channels) +
                 c);
      }
      v[t * channels + c] = static_cast<float>(sum / (1.0 + std::exp(-sum)));
    }
  }
}

void selective_scan(std::size_t length, std::size_t channels, const ScanInput& in, float* state,
                    float* y) {
  for (std::size_t t = 0; t < length; ++t) {
    const float* b = in.bc + t * in.bc_stride;
    for (std::size_t c = 0; c < channels; ++c) {
      const double dt = in.dt[t * channels + c], v = in.v[t * channels + c];
      double sum = in.skip[c] * v;
      for (std::size_t s = 0; s < kState; ++s) {
        float& h = state[block_index(c, s, kState)];
        h = static_cast<float>(std::exp2(dt * in.a_log2[block_index(c, s, kState)]) * h +
                               dt * b[s] * v);
        sum += double{b[kState + s]} * h;
      }
      y[t * channels + c] = static_cast<float>(sum * in.gate[t * channels + c]);
    }
  }
}

void lti_step(std::size_t channels, const float* v, const float* gate, const float* a,
              const float* cb, const float* skip, float* state, float* y) {
  for (std::size_t c = 0; c < channels; ++c) {
    double sum = double{skip[c]} * v[c];
    for (std::size_t s = 0; s < kState; ++s) {
      const std::size_t at = block_index(c, s, kState);
      state[at] = static_cast<float>(double{a[at]} * state[at] + v[c]);
      sum += double{cb[at]} * state[at];
    }
    y[c] = static_cast<float>(sum * gate[c]);
  }
}

}  // namespace plain

}  // namespace eco
