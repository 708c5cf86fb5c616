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

// The states of four are run at a time: what they carry from step to step stays in registers.
constexpr std::size_t kGroup = 4;

// Everything of one step that does not depend on the state.
struct Step {
  F8 v, dt, dt_v;  // dt after bias and softplus
};

// One chunk's steps for eight channels.
struct Chunk {
  Step steps[kChunk];
  F8 outputs[kChunk];             // before the gate
  F8 states[kChunk + 1][kState];  // states[0]: at the start; [i + 1]: after step i, if kept
  F8 decays[kChunk][kState];      // if kept
};

// Runs from states[0]. With `keep` every state and decay is written down for the backward pass;
// without, states[0] is moved on to the end of the chunk.
template <bool keep>
void run_chunk(const SelectiveScan& in, std::size_t first, std::size_t count, std::size_t channel,
               Chunk& chunk) {
  const F8 skip = simd::load(in.skip + channel), bias = simd::load(in.dt_bias + channel);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (first + i) * in.channels + channel;
    const F8 v = simd::load(in.v + at), dt = simd::softplus(simd::load(in.dt + at) + bias);
    chunk.steps[i] = {v, dt, dt * v};
    chunk.outputs[i] = skip * v;
  }
  for (std::size_t s = 0; s < kState; s += kGroup) {
    F8 rates[kGroup], h[kGroup];  // A / ln 2: the decay is a power of two
    for (std::size_t j = 0; j < kGroup; ++j) {
      rates[j] = simd::load(in.a + channel * kState + (s + j) * kLanes) * kLog2E;
      h[j] = chunk.states[0][s + j];
    }
    for (std::size_t i = 0; i < count; ++i) {
      const float* b = in.b + (first + i) * in.bc_stride + s;
      const float* c = in.c + (first + i) * in.bc_stride + s;
      const F8 dt = chunk.steps[i].dt, dt_v = chunk.steps[i].dt_v;
      F8 output = chunk.outputs[i];
      for (std::size_t j = 0; j < kGroup; ++j) {
        const F8 decay = simd::exp2(dt * rates[j]);
        h[j] = simd::fma(decay, h[j], dt_v * b[j]);
        output = simd::fma(h[j], simd::set(c[j]), output);
        if constexpr (keep) {
          chunk.decays[i][s + j] = decay;
          chunk.states[i + 1][s + j] = h[j];
        }
      }
      chunk.outputs[i] = output;
    }
    if constexpr (!keep) {
      for (std::size_t j = 0; j < kGroup; ++j) chunk.states[0][s + j] = h[j];
    }
  }
}

// Sums of one step over channels that are still spread over the lanes.
struct LaneSums {
  F8 b[kState], c[kState];
};

// Gradients of one step that all states add to.
struct StepGradient {
  F8 y, dt, input;  // of the output before the gate, of dt through the decays, of dt B v
};

// Last step first, for the group of states from `s` on.
void back_through_states(const SelectiveScan& in, const SelectiveScanGradients& grad,
                         std::size_t first, std::size_t count, std::size_t channel, std::size_t s,
                         const Chunk& chunk, StepGradient* steps, LaneSums* sums) {
  F8 a[kGroup], grad_a[kGroup], carry[kGroup], after[kGroup];
  const std::size_t at = channel * kState + s * kLanes;
  for (std::size_t j = 0; j < kGroup; ++j) {
    a[j] = simd::load(in.a + at + j * kLanes);
    grad_a[j] = simd::load(grad.a + at + j * kLanes);
    carry[j] = simd::load(grad.carry + at + j * kLanes);
    after[j] = chunk.states[count][s + j];
  }
  for (std::size_t i = count; i-- > 0;) {
    const float* b = in.b + (first + i) * in.bc_stride + s;
    const float* c = in.c + (first + i) * in.bc_stride + s;
    const F8 dt = chunk.steps[i].dt, dt_v = chunk.steps[i].dt_v;
    StepGradient step = steps[i];
    for (std::size_t j = 0; j < kGroup; ++j) {
      const F8 before = chunk.states[i][s + j];
      const F8 g = simd::fma(step.y, simd::set(c[j]), carry[j]);
      sums[i].c[s + j] = simd::fma(step.y, after[j], sums[i].c[s + j]);
      sums[i].b[s + j] = simd::fma(g, dt_v, sums[i].b[s + j]);
      step.input = simd::fma(g, simd::set(b[j]), step.input);
      carry[j] = g * chunk.decays[i][s + j];
      const F8 grad_exponent = carry[j] * before;
      step.dt = simd::fma(grad_exponent, a[j], step.dt);
      grad_a[j] = simd::fma(grad_exponent, dt, grad_a[j]);
      after[j] = before;
    }
    steps[i].dt = step.dt;
    steps[i].input = step.input;
  }
  for (std::size_t j = 0; j < kGroup; ++j) {
    simd::store(grad.a + at + j * kLanes, grad_a[j]);
    simd::store(grad.carry + at + j * kLanes, carry[j]);
  }
}

void back_through_chunk(const SelectiveScan& in, const SelectiveScanGradients& grad,
                        std::size_t first, std::size_t count, std::size_t channel,
                        const Chunk& chunk, LaneSums* sums) {
  StepGradient steps[kChunk];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t t = first + i, at = t * in.channels + channel;
    const Silu gate = silu_and_slope(simd::load(in.z + t * in.z_stride + channel));
    const F8 grad_out = simd::load(grad.grad_y + at);
    simd::store(grad.z + t * grad.z_stride + channel, grad_out * chunk.outputs[i] * gate.slope);
    steps[i] = {grad_out * gate.value, F8{}, F8{}};
  }
  for (std::size_t s = 0; s < kState; s += kGroup) {
    back_through_states(in, grad, first, count, channel, s, chunk, steps, sums);
  }
  const F8 skip = simd::load(in.skip + channel), bias = simd::load(in.dt_bias + channel);
  F8 grad_bias = simd::load(grad.dt_bias + channel), grad_skip = simd::load(grad.skip + channel);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (first + i) * in.channels + channel;
    const Step& step = chunk.steps[i];
    simd::store(grad.v + at, simd::fma(steps[i].input, step.dt, steps[i].y * skip));
    grad_skip = simd::fma(steps[i].y, step.v, grad_skip);
    const F8 slope = sigmoid(simd::load(in.dt + at) + bias);  // of softplus
    const F8 grad_raw = simd::fma(steps[i].input, step.v, steps[i].dt) * slope;
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
  Chunk chunk;
  for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
    std::memset(chunk.states[0], 0, sizeof chunk.states[0]);
    for (std::size_t first = 0; first < in.length; first += kChunk) {
      const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
      if (first > 0) {
        std::memcpy(in.starts + starts_of(first) * state_size + channel * kState, chunk.states[0],
                    sizeof chunk.states[0]);
      }
      run_chunk<false>(in, first, count, channel, chunk);
      for (std::size_t i = 0; i < count; ++i) {
        const F8 z = simd::load(in.z + (first + i) * in.z_stride + channel);
        simd::store(y + (first + i) * in.channels + channel, chunk.outputs[i] * simd::silu(z));
      }
    }
  }
}

void selective_scan_backward(const SelectiveScan& in, const SelectiveScanGradients& grad) {
  const std::size_t state_size = in.channels * kState;
  std::memset(grad.carry, 0, state_size * sizeof(float));
  Chunk chunk;
  LaneSums sums[kChunk];
  for (std::size_t index = chunks_of(in.length); index-- > 0;) {
    const std::size_t first = index * kChunk;
    const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
    std::memset(sums, 0, count * sizeof sums[0]);
    for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
      if (index > 0) {
        std::memcpy(chunk.states[0], in.starts + (index - 1) * state_size + channel * kState,
                    sizeof chunk.states[0]);
      } else {
        std::memset(chunk.states[0], 0, sizeof chunk.states[0]);
      }
      run_chunk<true>(in, first, count, channel, chunk);
      back_through_chunk(in, grad, first, count, channel, chunk, sums);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t s = 0; s < kState; ++s) {
        grad.b[(first + i) * grad.bc_stride + s] = simd::sum(sums[i].b[s]);
        grad.c[(first + i) * grad.bc_stride + s] = simd::sum(sums[i].c[s]);
      }
    }
  }
}

}  // namespace eco::train::kernels
