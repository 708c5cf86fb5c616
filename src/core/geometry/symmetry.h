#pragma once
// The eight symmetries of the square: a mirrored or turned instance has the same solutions.

#include <span>
#include <utility>

#include "core/instance/metric.h"

namespace eco {

inline constexpr unsigned kSymmetries = 8;

// Bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps the axes. Exact.
inline void apply_symmetry(std::span<Point> points, unsigned symmetry) {
  for (Point& p : points) {
    if ((symmetry & 1U) != 0) p.x = -p.x;
    if ((symmetry & 2U) != 0) p.y = -p.y;
    if ((symmetry & 4U) != 0) std::swap(p.x, p.y);
  }
}

}  // namespace eco
