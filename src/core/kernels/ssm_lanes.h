#pragma once
// The sequence kernels (ssm.h) over a range of channels, for vectors V of 8 floats or (in wide/) of
// 16. A channel is the same chain of operations in both, so that it has the same bits.

#include "core/kernels/simd.h"
#include "core/kernels/ssm.h"

namespace eco {

struct ConvInput {
  const float* u;
  std::size_t past;
  const float *weight, *bias;
};

template <class V>
class SsmLanes {
 public:
  // Channels from `begin` to `end`, whole vectors.
  static void causal_conv_silu(std::size_t length, std::size_t channels, std::size_t begin,
                               std::size_t end, const ConvInput& in, float* v) {
    for (std::size_t c = begin; c < end; c += kLanes) {
      const float* w = in.weight + c * kConv;
      const V w0 = load_blocks(w, kConv), w1 = load_blocks(w + 8, kConv),
              w2 = load_blocks(w + 16, kConv), w3 = load_blocks(w + 24, kConv),
              b = simd::load<V>(in.bias + c);
      V u0 = before(in, channels, c, 3), u1 = before(in, channels, c, 2),
        u2 = before(in, channels, c, 1);
      for (std::size_t t = 0; t < length; ++t) {
        const V u3 = simd::load<V>(in.u + t * channels + c);
        V acc = simd::fma(w0, u0, b);
        acc = simd::fma(w1, u1, acc);
        acc = simd::fma(w2, u2, acc);
        acc = simd::fma(w3, u3, acc);
        simd::store(v + t * channels + c, simd::silu(acc));
        u0 = u1;
        u1 = u2;
        u2 = u3;
      }
    }
  }

  static void selective_scan(std::size_t length, std::size_t channels, std::size_t begin,
                             std::size_t end, const ScanInput& in, float* state, float* y) {
    for (std::size_t c = begin; c < end; c += kLanes) {
      V a[kState], h[kState];  // 16 lanes: h is in registers
      for (std::size_t s = 0; s < kState; ++s) {
        a[s] = load_blocks(in.a_log2 + c * kState + s * 8, kState);
        h[s] = load_blocks(state + c * kState + s * 8, kState);
      }
      const V skip = simd::load<V>(in.skip + c);
      for (std::size_t t = 0; t < length; ++t) {
        const std::size_t at = t * channels + c;
        const V dt = simd::load<V>(in.dt + at), v = simd::load<V>(in.v + at);
        const V dt_v = dt * v;
        const float* b = in.bc + t * in.bc_stride;
        V even{}, odd = skip * v;
#pragma GCC unroll 16
        for (std::size_t s = 0; s < kState; s += 2) {
          h[s] = simd::fma(simd::exp2(dt * a[s]), h[s], dt_v * b[s]);
          h[s + 1] = simd::fma(simd::exp2(dt * a[s + 1]), h[s + 1], dt_v * b[s + 1]);
          even = simd::fma(h[s], simd::set<V>(b[kState + s]), even);
          odd = simd::fma(h[s + 1], simd::set<V>(b[kState + s + 1]), odd);
        }
        simd::store(y + at, (even + odd) * simd::load<V>(in.gate + at));
      }
      for (std::size_t s = 0; s < kState; ++s) {
        store_blocks(state + c * kState + s * 8, kState, h[s]);
      }
    }
  }

 private:
  static constexpr std::size_t kLanes = simd::lanes<V>;

  // One number each of kLanes channels, which lie in blocks of eight ([channels / 8][depth][8]).
  static V load_blocks(const float* from, std::size_t depth) {
    float values[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) values[i] = from[i / 8 * 8 * depth + i % 8];
    return simd::load<V>(values);
  }
  static void store_blocks(float* to, std::size_t depth, V value) {
    for (std::size_t i = 0; i < kLanes; ++i) to[i / 8 * 8 * depth + i % 8] = value[i];
  }

  // The input `back` steps before the first.
  static V before(const ConvInput& in, std::size_t channels, std::size_t channel,
                  std::size_t back) {
    return in.past >= back ? simd::load<V>(in.u + channel - back * channels) : V{};
  }
};

// wide/ssm.cpp: channels up to `end`.
void causal_conv_silu_wide(std::size_t length, std::size_t channels, std::size_t end,
                           const ConvInput& in, float* v);
void selective_scan_wide(std::size_t length, std::size_t channels, std::size_t end,
                         const ScanInput& in, float* state, float* y);

}  // namespace eco
