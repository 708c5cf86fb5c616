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

namespace plain {
// keys, values [count, dim] row-major.
void attend(std::size_t count, std::size_t dim, std::size_t heads, const float* q,
            const float* keys, const float* values, float* out);
}  // namespace plain

}  // namespace eco
