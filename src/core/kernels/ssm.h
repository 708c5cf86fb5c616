#pragma once
// The sequence kernels of a Mamba block (docs/model.md, section 1). Channels go across SIMD lanes:
// state and its constants lie as [channel / 8][state][8]; `blocked` brings [channels, state] there.
// Channels are a multiple of 8, the state is 16 deep, the convolution 4 wide.

#include <cstddef>
#include <span>

#include "core/base/aligned_buffer.h"

namespace eco {

inline constexpr std::size_t kState = 16;
inline constexpr std::size_t kConv = 4;

// [channels, depth] row-major -> [channels / 8][depth][8].
[[nodiscard]] AlignedBuffer<float> blocked(std::span<const float> values, std::size_t channels,
                                           std::size_t depth);

// v_t = silu(bias + sum_k weight[k] * u_{t-3+k}) for a run of tokens of one sequence.
// u [length, channels], of which `past` (0..3) rows right before u belong to the same sequence;
// what lies further back counts as zero. weight: blocked [channels, 4]; bias [channels]; v [length,
// channels].
void causal_conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t past,
                      const float* weight, const float* bias, float* v);

// One step of the same convolution for one row: history holds the three inputs before u as
// [3, channels], the input of step t in row t mod 3; u takes the place of the oldest.
void conv_step_silu(std::size_t channels, std::size_t step, const float* u, float* history,
                    const float* weight, const float* bias, float* v);

// Selective scan (S6) of a run of tokens, gated: y = (C.h + skip * v) * gate.
struct ScanInput {
  const float* v;   // [length, channels]
  const float* dt;  // [length, channels], after softplus
  const float* bc;  // B at bc, C at bc + 16, of token t at bc + t * bc_stride
  std::size_t bc_stride;
  const float* gate;    // [length, channels], silu(z)
  const float* a_log2;  // blocked [channels, 16]: A / ln 2, so that exp(dt A) = 2^(dt a_log2)
  const float* skip;    // [channels]
};
// state: blocked [channels, 16], carried on; y [length, channels], may be v.
void selective_scan(std::size_t length, std::size_t channels, const ScanInput& in, float* state,
                    float* y);

// One step of the time-invariant SSM (S4) for one row, gated. The state is kept divided by b, so
// that h = a * h + v and y = (cb.h + skip * v) * gate, with cb = c * b.
void lti_step(std::size_t channels, const float* v, const float* gate, const float* a,
              const float* cb, const float* skip, float* state, float* y);

namespace plain {
void causal_conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t past,
                      const float* weight, const float* bias, float* v);
void selective_scan(std::size_t length, std::size_t channels, const ScanInput& in, float* state,
                    float* y);
void lti_step(std::size_t channels, const float* v, const float* gate, const float* a,
              const float* cb, const float* skip, float* state, float* y);
}  // namespace plain

}  // namespace eco
