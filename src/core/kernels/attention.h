#pragma once
// Attention of one query over a set of keys and values, all heads, used by the Transformer stacks
// and among candidates. Keys lie eight tokens side by side, [token / 8][dim][8], so that SIMD goes
// across tokens; values as [token, dim].

#include <cstddef>

namespace eco {

// Puts key [dim] of a token into the blocked array (room for padded(count) tokens).
void store_key(std::size_t token, std::size_t dim, const float* key, float* blocked_keys);

// out[h] = softmax(q[h].K[h] / sqrt(dim / heads)) V[h] over tokens 0..count-1, count > 0.
// q, out [dim]; scratch: room for padded(count) floats. out may be q.
void attend(std::size_t count, std::size_t dim, std::size_t heads, const float* q,
            const float* blocked_keys, const float* values, std::size_t value_stride,
            float* scratch, float* out);

namespace plain {
// keys, values [count, dim] row-major.
void attend(std::size_t count, std::size_t dim, std::size_t heads, const float* q,
            const float* keys, const float* values, float* out);
}  // namespace plain

}  // namespace eco
