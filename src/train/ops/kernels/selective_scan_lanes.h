#pragma once
// The S6 recurrence (docs/model.md, section 1) with its gate, for vectors V of 8 channels or (in
// wide/) of 16. Every number is the same chain of operations for both, so that it has the same
// bits.

#include <cstring>

#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/silu.h"

namespace eco::train::kernels {

// Gradients of B and C in one chunk, summed over the channels of each of eight lanes, first to
// last.
struct ChannelSums {
  struct Step {
    float b[kState][8], c[kState][8];
  };
  Step steps[kChunk];
};

template <class V>
class ScanLanes {
 public:
  static void forward(const SelectiveScan& in, float* y) {
    const std::size_t state_size = in.channels * kState;
    Chunk chunk;
    for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
      V h[kState] = {};
      for (std::size_t first = 0; first < in.length; first += kChunk) {
        const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
        if (first > 0) {
          store_states<kState>(h, in.starts + starts_of(first) * state_size + channel * kState);
        }
        start_chunk(in, first, count, channel, chunk);
        for (std::size_t s = 0; s < kState; s += kGroup) {
          run_group<false>(in, first, count, channel, s, h + s, chunk, nullptr);
        }
        for (std::size_t i = 0; i < count; ++i) {
          const V z = simd::load<V>(in.z + (first + i) * in.z_stride + channel);
          simd::store(y + (first + i) * in.channels + channel, chunk.outputs[i] * simd::silu(z));
        }
      }
    }
  }

  // Through the chunk from step `first` on; the chunks after it have been gone through.
  static void backward(const SelectiveScan& in, const SelectiveScanGradients& grad,
                       std::size_t first, std::size_t count, ChannelSums& sums) {
    const std::size_t state_size = in.channels * kState;
    Chunk chunk;
    StepGradient steps[kChunk];
    Group group;
    for (std::size_t channel = 0; channel < in.channels; channel += kLanes) {
      V h[kState] = {};
      if (first > 0) {
        load_states<kState>(in.starts + starts_of(first) * state_size + channel * kState, h);
      }
      start_chunk(in, first, count, channel, chunk);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t t = first + i;
        const Silu<V> gate = silu_and_slope(simd::load<V>(in.z + t * in.z_stride + channel));
        const V grad_out = simd::load<V>(grad.grad_y + t * in.channels + channel);
        steps[i] = {grad_out * gate.value, V{}, V{}, gate.slope};
      }
      for (std::size_t s = 0; s < kState; s += kGroup) {
        run_group<true>(in, first, count, channel, s, h + s, chunk, &group);
        back_through_group(in, grad, first, count, channel, s, chunk, group, steps, sums);
      }
      finish_steps(in, grad, first, count, channel, chunk, steps);
    }
  }

 private:
  static constexpr std::size_t kLanes = simd::lanes<V>;
  static constexpr float kLog2E = 1.44269504F;
  // States that are run at a time: what they carry from step to step stays in registers, and what
  // the way back needs of them in the first-level cache.
  static constexpr std::size_t kGroup = 4;
  static constexpr std::size_t kPair = kLanes / 8;  // states that fill a vector with eight channels

  struct Chunk {
    struct Step {
      V v, dt, dt_v;  // dt after bias and softplus
    };
    Step steps[kChunk];
    V outputs[kChunk];  // before the gate
  };

  struct Group {
    V states[kChunk + 1][kGroup];  // [0]: at the start; [i + 1]: after step i
    V decays[kChunk][kGroup];
  };

  // Gradients of the output before the gate, of dt through the decays, of dt B v; and the slope of
  // the gate.
  struct StepGradient {
    V y, dt, input, slope;
  };

  // States of the channels of a vector, which lie in blocks of eight: [channels / 8][state][8]. Two
  // states of eight channels make a vector of 16.
  template <std::size_t Count>
  static void load_states(const float* from, V* to) {
    for (std::size_t j = 0; j < Count; j += kPair) {
      const V left = simd::load<V>(from + j * 8);
      if constexpr (kPair == 1) {
        to[j] = left;
      } else {
        const V right = simd::load<V>(from + (kState + j) * 8);
        to[j] = low_halves(left, right);
        to[j + 1] = high_halves(left, right);
      }
    }
  }
  template <std::size_t Count>
  static void store_states(const V* from, float* to) {
    for (std::size_t j = 0; j < Count; j += kPair) {
      if constexpr (kPair == 1) {
        simd::store(to + j * 8, from[j]);
      } else {
        simd::store(to + j * 8, low_halves(from[j], from[j + 1]));
        simd::store(to + (kState + j) * 8, high_halves(from[j], from[j + 1]));
      }
    }
  }
  static V low_halves(V a, V b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  }
  static V high_halves(V a, V b) {
    return __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                                   31);
  }

  // What does not depend on the states.
  static void start_chunk(const SelectiveScan& in, std::size_t first, std::size_t count,
                          std::size_t channel, Chunk& chunk) {
    const V skip = simd::load<V>(in.skip + channel), bias = simd::load<V>(in.dt_bias + channel);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (first + i) * in.channels + channel;
      const V v = simd::load<V>(in.v + at), dt = simd::softplus(simd::load<V>(in.dt + at) + bias);
      chunk.steps[i] = {v, dt, dt * v};
      chunk.outputs[i] = skip * v;
    }
  }

  // Moves the states from `s` on, which are in `state`, through the chunk and adds them to its
  // outputs. With `keep` every state and decay is written down for the way back.
  template <bool keep>
  static void run_group(const SelectiveScan& in, std::size_t first, std::size_t count,
                        std::size_t channel, std::size_t s, V* state, Chunk& chunk, Group* group) {
    V rates[kGroup], h[kGroup];  // A / ln 2: the decay is a power of two
    load_states<kGroup>(in.a + channel * kState + s * 8, rates);
    for (std::size_t j = 0; j < kGroup; ++j) {
      rates[j] = rates[j] * kLog2E;
      h[j] = state[j];
      if constexpr (keep) group->states[0][j] = h[j];
    }
    for (std::size_t i = 0; i < count; ++i) {
      const float* b = in.b + (first + i) * in.bc_stride + s;
      const float* c = in.c + (first + i) * in.bc_stride + s;
      const V dt = chunk.steps[i].dt, dt_v = chunk.steps[i].dt_v;
      V output = chunk.outputs[i];
      for (std::size_t j = 0; j < kGroup; ++j) {
        const V decay = simd::exp2(dt * rates[j]);
        h[j] = simd::fma(decay, h[j], dt_v * b[j]);
        output = simd::fma(h[j], simd::set<V>(c[j]), output);
        if constexpr (keep) {
          group->decays[i][j] = decay;
          group->states[i + 1][j] = h[j];
        }
      }
      chunk.outputs[i] = output;
    }
    for (std::size_t j = 0; j < kGroup; ++j) state[j] = h[j];
  }

  // Last step first.
  static void back_through_group(const SelectiveScan& in, const SelectiveScanGradients& grad,
                                 std::size_t first, std::size_t count, std::size_t channel,
                                 std::size_t s, const Chunk& chunk, const Group& group,
                                 StepGradient* steps, ChannelSums& sums) {
    V a[kGroup], grad_a[kGroup], carry[kGroup], after[kGroup];
    const std::size_t at = channel * kState + s * 8;
    load_states<kGroup>(in.a + at, a);
    load_states<kGroup>(grad.a + at, grad_a);
    load_states<kGroup>(grad.carry + at, carry);
    for (std::size_t j = 0; j < kGroup; ++j) after[j] = group.states[count][j];
    for (std::size_t i = count; i-- > 0;) {
      const float* b = in.b + (first + i) * in.bc_stride + s;
      const float* c = in.c + (first + i) * in.bc_stride + s;
      const V dt = chunk.steps[i].dt, dt_v = chunk.steps[i].dt_v, y = steps[i].y;
      V to_dt = steps[i].dt, to_input = steps[i].input;
      for (std::size_t j = 0; j < kGroup; j += kPair) {
        V g[kPair];
        for (std::size_t p = 0; p < kPair; ++p) {
          g[p] = simd::fma(y, simd::set<V>(c[j + p]), carry[j + p]);
          to_input = simd::fma(g[p], simd::set<V>(b[j + p]), to_input);
          carry[j + p] = g[p] * group.decays[i][j + p];
        }
        add_products(after + j, y, sums.steps[i].c[s + j]);
        add_products(g, dt_v, sums.steps[i].b[s + j]);
        for (std::size_t p = 0; p < kPair; ++p) {
          after[j + p] = group.states[i][j + p];  // of the step before
          const V grad_exponent = carry[j + p] * after[j + p];
          to_dt = simd::fma(grad_exponent, a[j + p], to_dt);
          grad_a[j + p] = simd::fma(grad_exponent, dt, grad_a[j + p]);
        }
      }
      steps[i].dt = to_dt;
      steps[i].input = to_input;
    }
    store_states<kGroup>(grad_a, grad.a + at);
    store_states<kGroup>(carry, grad.carry + at);
  }

  // sums += factors * factor for kPair states, eight channels after the other.
  static void add_products(const V* factors, V factor, float* sums) {
    V sum = simd::load<V>(sums);
    if constexpr (kPair == 1) {
      sum = simd::fma(factor, factors[0], sum);
    } else {
      sum = simd::fma(low_halves(factor, factor), low_halves(factors[0], factors[1]), sum);
      sum = simd::fma(high_halves(factor, factor), high_halves(factors[0], factors[1]), sum);
    }
    simd::store(sums, sum);
  }

  static void finish_steps(const SelectiveScan& in, const SelectiveScanGradients& grad,
                           std::size_t first, std::size_t count, std::size_t channel,
                           const Chunk& chunk, const StepGradient* steps) {
    const V skip = simd::load<V>(in.skip + channel), bias = simd::load<V>(in.dt_bias + channel);
    V grad_bias = simd::load<V>(grad.dt_bias + channel),
      grad_skip = simd::load<V>(grad.skip + channel);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t t = first + i, at = t * in.channels + channel;
      const typename Chunk::Step& step = chunk.steps[i];
      const V grad_out = simd::load<V>(grad.grad_y + at);
      simd::store(grad.z + t * grad.z_stride + channel,
                  grad_out * chunk.outputs[i] * steps[i].slope);
      simd::store(grad.v + at, simd::fma(steps[i].input, step.dt, steps[i].y * skip));
      grad_skip = simd::fma(steps[i].y, step.v, grad_skip);
      const V slope = sigmoid(simd::load<V>(in.dt + at) + bias);  // of softplus
      const V grad_raw = simd::fma(steps[i].input, step.v, steps[i].dt) * slope;
      simd::store(grad.dt + at, grad_raw);
      grad_bias += grad_raw;
    }
    simd::store(grad.dt_bias + channel, grad_bias);
    simd::store(grad.skip + channel, grad_skip);
  }
};

// wide/selective_scan.cpp, for channels that are whole vectors of 16.
void selective_scan_wide(const SelectiveScan& in, float* y);
void selective_scan_backward_wide(const SelectiveScan& in, const SelectiveScanGradients& grad,
                                  std::size_t first, std::size_t count, ChannelSums& sums);

}  // namespace eco::train::kernels
