#pragma once
// A k-d tree of points that can be removed one by one, for "the nearest k that are still there".
// Split by count, so equal points cost nothing extra; equal distances are ordered by index, so the
// answer is a function of the points alone. Building is O(N log N), a query or a removal about
// O(log N).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/geometry/box.h"

namespace eco {

struct PointNeighbour {
  double squared_distance;
  std::uint32_t index;
  friend bool operator<(const PointNeighbour& a, const PointNeighbour& b) {
    return a.squared_distance != b.squared_distance ? a.squared_distance < b.squared_distance
                                                    : a.index < b.index;
  }
};

// The quarter of the plane that `point` is in as seen from `centre`: 0 to 3 against the clock from
// the x axis, each with the first of its two borders; 4 if they are one point.
[[nodiscard]] inline std::size_t quarter_of(const Point& centre, const Point& point) {
  const double dx = point.x - centre.x, dy = point.y - centre.y;
  if (dx > 0 && dy >= 0) return 0;
  if (dx <= 0 && dy > 0) return 1;
  if (dx < 0) return 2;
  return dy < 0 ? 3 : 4;
}

class KdTree {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  explicit KdTree(std::span<const Point> points);

  // The k nearest points not removed (fewer if fewer are left), nearest first, equal distances by
  // index; `except` (a point's own index) is left out. The result is valid until the next call.
  [[nodiscard]] std::span<const PointNeighbour> nearest(const Point& query, std::size_t k,
                                                        std::uint32_t except = kNone);
  // The same among the points in one quarter of the plane around the query (see quarter_of).
  [[nodiscard]] std::span<const PointNeighbour> nearest_in_quarter(const Point& query,
                                                                   std::size_t quarter,
                                                                   std::size_t k);
  // The nearest one, or kNone if none is left.
  [[nodiscard]] std::uint32_t nearest_one(const Point& query, std::uint32_t except = kNone);

  // Calls visit(index, squared distance) for every point not removed that is within the circle, in
  // no order.
  template <class Visit>
  void each_within(const Point& query, double squared_radius, Visit visit) const {
    if (!cells_.empty()) visit_within(0, query, squared_radius, visit);
  }

  void remove(std::uint32_t index);
  [[nodiscard]] bool contains(std::uint32_t index) const { return place_[index] != kNone; }
  [[nodiscard]] std::size_t left() const { return cells_.empty() ? 0 : cells_[0].alive; }
  // Point indices in the tree's own order: neighbours in it are close in space.
  [[nodiscard]] std::span<const std::uint32_t> spatial_order() const { return items_; }

 private:
  // A box of points items_[first, first + alive) if a leaf; else its children are at `child` and
  // `child + 1`.
  static constexpr std::uint32_t kNoChild = 0;  // the root is nobody's child
  struct Cell {
    Box box;
    std::uint32_t parent, child, first, alive;
    std::uint32_t lowest_index;  // of the points at the start; a bound once some are removed
  };

  void build(std::span<const Point> points);
  [[nodiscard]] static double squared_distance(const Cell& cell, const Point& query);
  void visit(std::uint32_t cell, double cell_distance, const Point& query, std::uint32_t except);
  void visit_quarter(std::uint32_t cell, std::size_t quarter, const Point& query);
  void offer(const PointNeighbour& candidate);
  template <class Visit>
  void visit_within(std::uint32_t index, const Point& query, double squared_radius,
                    Visit& visit) const {
    const Cell& cell = cells_[index];
    if (cell.alive == 0 || squared_distance(cell, query) > squared_radius) return;
    if (cell.child != kNoChild) {
      visit_within(cell.child, query, squared_radius, visit);
      visit_within(cell.child + 1, query, squared_radius, visit);
      return;
    }
    for (std::uint32_t i = cell.first; i < cell.first + cell.alive; ++i) {
      const double dx = item_points_[i].x - query.x, dy = item_points_[i].y - query.y;
      const double distance = dx * dx + dy * dy;
      if (distance <= squared_radius) visit(items_[i], distance);
    }
  }

  std::vector<Cell> cells_;
  std::vector<std::uint32_t> items_;  // point indices, leaf by leaf
  std::vector<Point> item_points_;    // points of items_
  std::vector<std::uint32_t> place_;  // of a point in items_; kNone once removed
  std::vector<std::uint32_t> leaf_;   // cell of a point
  std::vector<PointNeighbour> best_;  // of the query under way, sorted
  std::size_t wanted_ = 0;
};

}  // namespace eco
