// The S4 recurrence with its gate; see selective_scan.cpp for the layout. No exponentials: the
// decays are constants of the channel.

#include <cstring>
#include <initializer_list>

#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/silu.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

struct Chunk {
  F8 states[kChunk + 1][kState];
  F8 outputs[kChunk];  // before the gate
};

// Advances chunk.states[0] through the steps.
void run_chunk(const LtiScan& in, std::size_t first, std::size_t count, std::size_t channel,
               Chunk& chunk) {
  const float *decay = in.decay + channel * kState, *weight = in.weight + channel * kState;
  const F8 skip = simd::load(in.skip + channel);
  for (std::size_t i = 0; i < count; ++i) {
    const F8 v = simd::load(in.v + (first + i) * in.channels + channel);
    F8 even = skip * v, odd{};
    for (std::size_t s = 0; s < kState; s += 2) {
      const std::size_t at0 = s * kLanes, at1 = at0 + kLanes;
      const F8 h0 = simd::fma(simd::load(decay + at0), chunk.states[i][s], v);
      const F8 h1 = simd::fma(simd::load(decay + at1), chunk.states[i][s + 1], v);
      chunk.states[i + 1][s] = h0;
      chunk.states[i + 1][s + 1] = h1;
      even = simd::fma(h0, simd::load(weight + at0), even);
      odd = simd::fma(h1, simd::load(weight + at1), odd);
    }
    chunk.outputs[i] = even + odd;
  }
}

void back_through_chunk(const LtiScan& in, const LtiScanGradients& grad, std::size_t first,
                        std::size_t count, std::size_t channel, const Chunk& chunk) {
  const float *decay = in.decay + channel * kState, *weight = in.weight + channel * kState;
  float* carry = grad.carry + channel * kState;
  float *grad_decay = grad.decay + channel * kState, *grad_weight = grad.weight + channel * kState;
  const F8 skip = simd::load(in.skip + channel);
  F8 grad_skip = simd::load(grad.skip + channel);
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t t = first + i, at = t * in.channels + channel;
    const Silu<F8> gate = silu_and_slope(simd::load(in.z + t * in.z_stride + channel));
    const F8 grad_out = simd::load(grad.grad_y + at);
    simd::store(grad.z + t * grad.z_stride + channel, grad_out * chunk.outputs[i] * gate.slope);
    const F8 grad_y = grad_out * gate.value;
    F8 grad_v = grad_y * skip;
    for (std::size_t s = 0; s < kState; ++s) {
      const std::size_t lane = s * kLanes;
      const F8 g = simd::fma(grad_y, simd::load(weight + lane), simd::load(carry + lane));
      grad_v += g;
      simd::store(grad_weight + lane,
                  simd::fma(grad_y, chunk.states[i + 1][s], simd::load(grad_weight + lane)));
      simd::store(grad_decay + lane,
                  simd::fma(g, chunk.states[i][s], simd::load(grad_decay + lane)));
      simd::store(carry + lane, g * simd::load(decay + lane));
    }
    simd::store(grad.v + at, grad_v);
    grad_skip = simd::fma(grad_y, simd::load(in.v + at), grad_skip);
  }
  simd::store(grad.skip + channel, grad_skip);
}

}  // namespace

namespace {

// e^x - 1 for x <= 0: by its series where the subtraction would cancel.
F8 expm1(F8 x) {
  F8 series = simd::set(1.0F / 40320);
  for (const float factorial : {5040.0F, 720.0F, 120.0F, 24.0F, 6.0F, 2.0F, 1.0F}) {
    series = simd::fma(series, x, simd::set(1.0F / factorial));
  }
  return x > -0.5F ? series * x : simd::exp(x) - 1.0F;
}

}  // namespace

void lti_constants(std::size_t count, const float* a_log, const float* log_dt, float* decay,
                   float* b) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    const F8 a = F8{} - simd::exp(simd::load(a_log + i));
    const F8 grown = expm1(a * simd::exp(simd::set(log_dt[i / kState])));
    simd::store(decay + i, grown + 1.0F);
    simd::store(b + i, grown / a);
  }
}

void lti_scan(const LtiScan& in, float* y) {
  const std::size_t state_size = in.channels * kState;
  for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
    Chunk chunk;
    std::memset(chunk.states[0], 0, sizeof chunk.states[0]);
    for (std::size_t first = 0; first < in.length; first += kChunk) {
      const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
      if (first > 0) {
        std::memcpy(in.starts + starts_of(first) * state_size + channel * kState, chunk.states[0],
                    sizeof chunk.states[0]);
      }
      run_chunk(in, first, count, channel, chunk);
      for (std::size_t i = 0; i < count; ++i) {
        const F8 z = simd::load(in.z + (first + i) * in.z_stride + channel);
        simd::store(y + (first + i) * in.channels + channel, chunk.outputs[i] * simd::silu(z));
      }
      std::memcpy(chunk.states[0], chunk.states[count], sizeof chunk.states[0]);
    }
  }
}

void lti_scan_backward(const LtiScan& in, const LtiScanGradients& grad) {
  const std::size_t state_size = in.channels * kState;
  std::memset(grad.carry, 0, state_size * sizeof(float));
  Chunk chunk;
  for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
    for (std::size_t index = chunks_of(in.length); index-- > 0;) {
      const std::size_t first = index * kChunk;
      const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
      if (index > 0) {
        std::memcpy(chunk.states[0], in.starts + (index - 1) * state_size + channel * kState,
                    sizeof chunk.states[0]);
      } else {
        std::memset(chunk.states[0], 0, sizeof chunk.states[0]);
      }
      run_chunk(in, first, count, channel, chunk);
      back_through_chunk(in, grad, first, count, channel, chunk);
    }
  }
}

}  // namespace eco::train::kernels
