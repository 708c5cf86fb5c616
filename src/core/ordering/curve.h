#pragma once
// Places on the two space-filling curves, of coordinates quantised to 32 bits a side. A key keeps
// all 64 bits, so that two points share a key only if they share the cell.

#include <cstdint>

namespace eco {

// Bits interleaved: x in the even places (the lowest bit is x's), y in the odd ones.
[[nodiscard]] std::uint64_t morton_key(std::uint32_t x, std::uint32_t y);

// From (0, 0) to (2^32 - 1, 0); consecutive keys are edge-adjacent cells.
[[nodiscard]] std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y);

// The definition, one bit a step; hilbert_key takes four bits a step from a table made with it.
[[nodiscard]] std::uint64_t plain_hilbert_key(std::uint32_t x, std::uint32_t y);

}  // namespace eco
