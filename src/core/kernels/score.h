#pragma once
// The pointer: logits of the nodes that are still open. Visited nodes are compacted away by the
// caller's list, so that dense construction costs N^2 / 2 dot products.

#include <cstddef>
#include <cstdint>
#include <span>

namespace eco {

// logits[i] = query . keys[open[i]] + bias[open[i]]; query [dim], keys [nodes, dim], bias [nodes];
// dim a multiple of 8.
void score_open(std::span<const std::uint32_t> open, std::size_t dim, const float* query,
                const float* keys, const float* bias, float* logits);

namespace plain {
void score_open(std::span<const std::uint32_t> open, std::size_t dim, const float* query,
                const float* keys, const float* bias, float* logits);
}  // namespace plain

}  // namespace eco
