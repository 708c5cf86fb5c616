// The S6 recurrence (docs/model.md, section 1) with its gate. Eight channels in the lanes; for
// each, the 16 states of a chunk's steps are kept in a workspace that stays in the first-level
// cache.

#include <cstring>

#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/silu.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

constexpr float kLog2E = 1.44269504F;

// Everything of one step that does not depend on the state.
struct Step {
  F8 v, dt, dt_v;  // dt after bias and softplus
};

// What the forward pass of a chunk leaves behind for the backward pass.
struct Chunk {
  F8 states[kChunk + 1][kState];  // states[i + 1]: after step i; states[0]: at the start
  F8 decays[kChunk][kState];
  Step steps[kChunk];
  F8 outputs[kChunk];  // before the gate
};

Step load_step(const SelectiveScan& in, std::size_t t, std::size_t channel) {
  const std::size_t at = t * in.channels + channel;
  Step step;
  step.v = simd::load(in.v + at);
  step.dt = simd::softplus(simd::load(in.dt + at) + simd::load(in.dt_bias + channel));
  step.dt_v = step.dt * step.v;
  return step;
}

void run_chunk(const SelectiveScan& in, std::size_t first, std::size_t count, std::size_t channel,
               Chunk& chunk) {
  const float* a = in.a + channel * kState;
  const F8 skip = simd::load(in.skip + channel);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t t = first + i;
    const Step step = load_step(in, t, channel);
    const float *b = in.b + t * in.bc_stride, *c = in.c + t * in.bc_stride;
    const F8 rate = step.dt * kLog2E;
    F8 even = skip * step.v, odd{};
    for (std::size_t s = 0; s < kState; s += 2) {
      const F8 decay0 = simd::exp2(rate * simd::load(a + s * kLanes));
      const F8 decay1 = simd::exp2(rate * simd::load(a + (s + 1) * kLanes));
      const F8 h0 = simd::fma(decay0, chunk.states[i][s], step.dt_v * b[s]);
      const F8 h1 = simd::fma(decay1, chunk.states[i][s + 1], step.dt_v * b[s + 1]);
      chunk.decays[i][s] = decay0;
      chunk.decays[i][s + 1] = decay1;
      chunk.states[i + 1][s] = h0;
      chunk.states[i + 1][s + 1] = h1;
      even = simd::fma(h0, simd::set(c[s]), even);
      odd = simd::fma(h1, simd::set(c[s + 1]), odd);
    }
    chunk.steps[i] = step;
    chunk.outputs[i] = even + odd;
  }
}

// Sums over channels that are still spread over the lanes.
struct LaneSums {
  F8 b[kChunk][kState], c[kChunk][kState];
};

void back_through_chunk(const SelectiveScan& in, const SelectiveScanGradients& grad,
                        std::size_t first, std::size_t count, std::size_t channel,
                        const Chunk& chunk, LaneSums& sums) {
  const float* a = in.a + channel * kState;
  float *carry = grad.carry + channel * kState, *grad_a = grad.a + channel * kState;
  const F8 skip = simd::load(in.skip + channel);
  F8 grad_bias = simd::load(grad.dt_bias + channel), grad_skip = simd::load(grad.skip + channel);
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t t = first + i, at = t * in.channels + channel;
    const Step& step = chunk.steps[i];
    const float *b = in.b + t * in.bc_stride, *c = in.c + t * in.bc_stride;
    const Silu gate = silu_and_slope(simd::load(in.z + t * in.z_stride + channel));
    const F8 grad_out = simd::load(grad.grad_y + at);
    simd::store(grad.z + at, grad_out * chunk.outputs[i] * gate.slope);
    const F8 grad_y = grad_out * gate.value;

    F8 grad_dt{}, grad_input{};
    for (std::size_t s = 0; s < kState; ++s) {
      const F8 g = simd::fma(grad_y, simd::set(c[s]), simd::load(carry + s * kLanes));
      const F8 next = g * chunk.decays[i][s];
      const F8 grad_rate = next * chunk.states[i][s];  // of the exponent dt A
      sums.c[i][s] = simd::fma(grad_y, chunk.states[i + 1][s], sums.c[i][s]);
      sums.b[i][s] = simd::fma(g, step.dt_v, sums.b[i][s]);
      grad_dt = simd::fma(grad_rate, simd::load(a + s * kLanes), grad_dt);
      simd::store(grad_a + s * kLanes,
                  simd::fma(grad_rate, step.dt, simd::load(grad_a + s * kLanes)));
      grad_input = simd::fma(g, simd::set(b[s]), grad_input);
      simd::store(carry + s * kLanes, next);
    }
    simd::store(grad.v + at, simd::fma(grad_input, step.dt, grad_y * skip));
    grad_skip = simd::fma(grad_y, step.v, grad_skip);
    const F8 raw = simd::load(in.dt + at) + simd::load(in.dt_bias + channel);
    const F8 grad_raw = simd::fma(grad_input, step.v, grad_dt) * sigmoid(raw);
    simd::store(grad.dt + at, grad_raw);
    grad_bias += grad_raw;
  }
  simd::store(grad.dt_bias + channel, grad_bias);
  simd::store(grad.skip + channel, grad_skip);
}

}  // namespace

void to_blocks(std::size_t channels, const float* rows, float* blocks) {
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t s = 0; s < kState; ++s) {
      blocks[(c / kLanes * kState + s) * kLanes + c % kLanes] = rows[c * kState + s];
    }
  }
}

void from_blocks(std::size_t channels, const float* blocks, float* rows) {
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t s = 0; s < kState; ++s) {
      rows[c * kState + s] = blocks[(c / kLanes * kState + s) * kLanes + c % kLanes];
    }
  }
}

void selective_scan(const SelectiveScan& in, float* y) {
  const std::size_t state_size = in.channels * kState;
  for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
    const float* a = in.a + channel * kState;
    const F8 skip = simd::load(in.skip + channel);
    F8 h[kState]{};
    for (std::size_t t = 0; t < in.length; ++t) {
      if (t % kChunk == 0) {
        std::memcpy(in.starts + t / kChunk * state_size + channel * kState, h, sizeof h);
      }
      const Step step = load_step(in, t, channel);
      const float *b = in.b + t * in.bc_stride, *c = in.c + t * in.bc_stride;
      const F8 rate = step.dt * kLog2E;
      F8 even = skip * step.v, odd{};
      for (std::size_t s = 0; s < kState; s += 2) {
        h[s] = simd::fma(simd::exp2(rate * simd::load(a + s * kLanes)), h[s], step.dt_v * b[s]);
        h[s + 1] = simd::fma(simd::exp2(rate * simd::load(a + (s + 1) * kLanes)), h[s + 1],
                             step.dt_v * b[s + 1]);
        even = simd::fma(h[s], simd::set(c[s]), even);
        odd = simd::fma(h[s + 1], simd::set(c[s + 1]), odd);
      }
      const F8 z = simd::load(in.z + t * in.z_stride + channel);
      simd::store(y + t * in.channels + channel, (even + odd) * simd::silu(z));
    }
  }
}

void selective_scan_backward(const SelectiveScan& in, const SelectiveScanGradients& grad) {
  const std::size_t state_size = in.channels * kState;
  std::memset(grad.carry, 0, state_size * sizeof(float));
  Chunk chunk;
  LaneSums sums;
  for (std::size_t index = chunks_of(in.length); index-- > 0;) {
    const std::size_t first = index * kChunk;
    const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
    std::memset(&sums, 0, sizeof sums);
    for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
      std::memcpy(chunk.states[0], in.starts + index * state_size + channel * kState,
                  sizeof chunk.states[0]);
      run_chunk(in, first, count, channel, chunk);
      back_through_chunk(in, grad, first, count, channel, chunk, sums);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t s = 0; s < kState; ++s) {
        grad.b[(first + i) * kState + s] = simd::sum(sums.b[i][s]);
        grad.c[(first + i) * kState + s] = simd::sum(sums.c[i][s]);
      }
    }
  }
}

}  // namespace eco::train::kernels
