#pragma once
// The smallest box around points, sides parallel to the axes.

#include <algorithm>
#include <span>

#include "core/instance/metric.h"

namespace eco {

struct Box {
  Point low{0, 0}, high{0, 0};

  void include(const Point& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  // The longer side; 0 if all points are one.
  [[nodiscard]] double side() const { return std::max(high.x - low.x, high.y - low.y); }
};

// Of no points: the origin.
[[nodiscard]] inline Box bounding_box(std::span<const Point> points) {
  if (points.empty()) return {};
  Box box{points[0], points[0]};
  for (const Point& p : points) box.include(p);
  return box;
}

}  // namespace eco
