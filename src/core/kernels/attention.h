#pragma once
// Attention of queries over a set of keys and values, all heads, used by the Transformer stacks
// and among candidates. Keys lie eight tokens side by side, [token / 8][dim][8], so that SIMD goes
// across tokens; values as [token, dim].

#include <cstddef>
#include <cstdint>
#include <span>

namespace eco {

// Puts key [dim] of a token into the blocked array (room for padded(count) tokens).
void store_key(std::size_t token, std::size_t dim, const float* key, float* blocked_keys);

// What is attended to: tokens 0..count-1, count > 0.
struct AttendedTokens {
  std::size_t count, dim;
  const float* blocked_keys;
  const float* values;  // [count, dim], rows value_stride floats apart
  std::size_t value_stride;
};

// out[h] = softmax(q[h].K[h] / sqrt(dim / heads)) V[h] of each query.
// q, out [queries, dim], rows `stride` floats apart; scratch: attend_scratch(count) floats.
void attend(std::size_t queries, const AttendedTokens& tokens, std::size_t heads, const float* q,
            std::size_t q_stride, float* scratch, float* out, std::size_t out_stride);
[[nodiscard]] std::size_t attend_scratch(std::size_t count);

// Attention of one query over chosen rows of keys and values, all heads:
//   weights[i, h] = softmax over i of q[h].keys[rows[i]][h] + bias[i, h]
//   out[h] = sum over i of weights[i, h] values[rows[i]][h]
// q, out [heads * width], width a multiple of 8; keys, values: rows `stride` floats apart; bias,
// weights [count, heads], count > 0; weights has room for a multiple of 8 numbers.
void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, float* weights, float* out);

// out[h, f] = sum over i of weights[i, h] rows[i, f]: rows [count, columns], columns >= 8, weights
// [count, heads], count > 0.
void sum_by_head(std::size_t count, std::size_t heads, const float* weights, const float* rows,
                 std::size_t columns, float* out);

namespace plain {
void attend_rows(std::span<const std::uint32_t> rows, std::size_t heads, std::size_t width,
                 const float* q, const float* keys, const float* values, std::size_t stride,
                 const float* bias, float* weights, float* out);
// keys, values [count, dim] row-major.
void attend(std::size_t count, std::size_t dim, std::size_t heads, const float* q,
            const float* keys, const float* values, float* out);
}  // namespace plain

}  // namespace eco
