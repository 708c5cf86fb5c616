#pragma once
// The glimpse of AM and POMO: attention of one query over the nodes that are still open, and the
// clipping of their logits. Visited nodes are left out by the caller's list, so a construction
// costs N^2 / 2 of these and not N^2.

#include <cstddef>
#include <cstdint>
#include <span>

namespace eco {

// Room that glimpse() needs: one number for every node and head, heads in groups of eight.
[[nodiscard]] std::size_t glimpse_scratch(std::size_t count, std::size_t heads);

//   w(i, h) = softmax over i of q[h].keys[open[i]][h];  out[h] = sum over i of w(i, h)
//   values[..][h]
// q, out [heads * width], width a multiple of 8; keys, values: rows `stride` floats apart; open is
// not empty.
void glimpse(std::span<const std::uint32_t> open, std::size_t heads, std::size_t width,
             const float* q, const float* keys, const float* values, std::size_t stride,
             float* scratch, float* out);

// logits = bound tanh(logits)
void clip_logits(float bound, std::span<float> logits);

}  // namespace eco
