#pragma once
// Attention of one query over chosen rows of keys and values, all heads: every token over its
// candidates.

#include <cstddef>
#include <cstdint>
#include <span>

namespace eco {

//   weights[i, h] = softmax over i of q[h].keys[rows[i]][h] + bias[i, h]
//   out[h] = sum over i of weights[i, h] values[rows[i]][h]
// q, out [heads * width], width a multiple of 8; keys, values, bias: rows `stride` and
// `bias_stride` floats apart; bias, weights [count, heads], count > 0; weights has room for a
// multiple of 16 numbers.
void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, std::size_t bias_stride, float* weights, float* out);

// out[h, f] = sum over i of weights[i, h] rows[i, f]: rows [count, columns], columns >= 8, weights
// [count, heads], count > 0.
void sum_by_head(std::size_t count, std::size_t heads, const float* weights, const float* rows,
                 std::size_t columns, float* out);

namespace plain {
void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, float* weights, float* out);
}  // namespace plain

}  // namespace eco
