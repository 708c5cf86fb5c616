#include "core/geometry/kd_tree.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace eco {

namespace {

constexpr std::uint32_t kLeafSize = 8;

double square(double value) {
  return value * value;
}

// Is any of the box in the quarter, borders included?
bool reaches(const Box& box, std::size_t quarter, const Point& centre) {
  const bool right = quarter == 0 || quarter == 3, up = quarter < 2;
  return (right ? box.high.x >= centre.x : box.low.x <= centre.x) &&
         (up ? box.high.y >= centre.y : box.low.y <= centre.y);
}

}  // namespace

KdTree::KdTree(std::span<const Point> points)
    : items_(points.size()), place_(points.size()), leaf_(points.size()) {
  std::iota(items_.begin(), items_.end(), 0U);
  if (points.empty()) return;
  build(points);
  item_points_.reserve(points.size());
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    item_points_.push_back(points[items_[i]]);
    place_[items_[i]] = i;
  }
}

void KdTree::build(std::span<const Point> points) {
  cells_.reserve(4 * points.size() / kLeafSize + 1);
  cells_.push_back({{}, 0, kNoChild, 0, static_cast<std::uint32_t>(points.size()), 0});
  for (std::uint32_t c = 0; c < cells_.size(); ++c) {
    Cell cell = cells_[c];
    const auto begin = items_.begin() + cell.first;
    const auto end = begin + cell.alive;
    cell.box = {points[*begin], points[*begin]};
    cell.lowest_index = *begin;
    for (auto item = begin; item != end; ++item) {
      cell.box.include(points[*item]);
      cell.lowest_index = std::min(cell.lowest_index, *item);
    }
    if (cell.alive > kLeafSize) {
      const bool by_x = cell.box.high.x - cell.box.low.x >= cell.box.high.y - cell.box.low.y;
      const std::uint32_t half = cell.alive / 2;
      // Equal points are told apart by index, so that a search through them can stop early.
      std::nth_element(begin, begin + half, end, [&](std::uint32_t a, std::uint32_t b) {
        const double key_a = by_x ? points[a].x : points[a].y;
        const double key_b = by_x ? points[b].x : points[b].y;
        return key_a != key_b ? key_a < key_b : a < b;
      });
      cell.child = static_cast<std::uint32_t>(cells_.size());
      cells_.push_back({{}, c, kNoChild, cell.first, half, 0});
      cells_.push_back({{}, c, kNoChild, cell.first + half, cell.alive - half, 0});
    } else {
      for (auto item = begin; item != end; ++item) leaf_[*item] = c;
    }
    cells_[c] = cell;
  }
}

double KdTree::squared_distance(const Cell& cell, const Point& query) {
  const double dx = std::max({cell.box.low.x - query.x, 0.0, query.x - cell.box.high.x});
  const double dy = std::max({cell.box.low.y - query.y, 0.0, query.y - cell.box.high.y});
  return square(dx) + square(dy);
}

void KdTree::offer(const PointNeighbour& candidate) {
  if (best_.size() == wanted_) {
    if (best_.back() < candidate) return;
    best_.pop_back();
  }
  std::size_t place = best_.size();
  best_.push_back(candidate);
  for (; place > 0 && candidate < best_[place - 1]; --place) best_[place] = best_[place - 1];
  best_[place] = candidate;
}

void KdTree::visit(std::uint32_t cell_index, double cell_distance, const Point& query,
                   std::uint32_t except) {
  const Cell& cell = cells_[cell_index];
  if (cell.alive == 0) return;
  const PointNeighbour bound{cell_distance, cell.lowest_index};
  if (best_.size() == wanted_ && best_.back() < bound) return;
  if (cell.child == kNoChild) {
    for (std::uint32_t i = cell.first; i < cell.first + cell.alive; ++i) {
      if (items_[i] == except) continue;
      const Point& point = item_points_[i];
      offer({square(point.x - query.x) + square(point.y - query.y), items_[i]});
    }
    return;
  }
  std::pair near(squared_distance(cells_[cell.child], query), cell.child);
  std::pair far(squared_distance(cells_[cell.child + 1], query), cell.child + 1);
  if (far.first < near.first) std::swap(near, far);
  visit(near.second, near.first, query, except);
  visit(far.second, far.first, query, except);
}

std::span<const PointNeighbour> KdTree::nearest(const Point& query, std::size_t k,
                                                std::uint32_t except) {
  best_.clear();
  wanted_ = k;
  if (k > 0 && !cells_.empty()) visit(0, squared_distance(cells_[0], query), query, except);
  return best_;
}

void KdTree::visit_quarter(std::uint32_t cell_index, std::size_t quarter, const Point& query) {
  const Cell& cell = cells_[cell_index];
  if (cell.alive == 0 || !reaches(cell.box, quarter, query)) return;
  if (best_.size() == wanted_ && best_.back().squared_distance < squared_distance(cell, query)) {
    return;
  }
  if (cell.child == kNoChild) {
    for (std::uint32_t i = cell.first; i < cell.first + cell.alive; ++i) {
      const Point& point = item_points_[i];
      if (quarter_of(query, point) != quarter) continue;
      offer({square(point.x - query.x) + square(point.y - query.y), items_[i]});
    }
    return;
  }
  std::uint32_t near = cell.child, far = cell.child + 1;
  if (squared_distance(cells_[far], query) < squared_distance(cells_[near], query)) {
    std::swap(near, far);
  }
  visit_quarter(near, quarter, query);
  visit_quarter(far, quarter, query);
}

std::span<const PointNeighbour> KdTree::nearest_in_quarter(const Point& query, std::size_t quarter,
                                                           std::size_t k) {
  best_.clear();
  wanted_ = k;
  if (k > 0 && !cells_.empty()) visit_quarter(0, quarter, query);
  return best_;
}

std::uint32_t KdTree::nearest_one(const Point& query, std::uint32_t except) {
  const auto found = nearest(query, 1, except);
  return found.empty() ? kNone : found.front().index;
}

void KdTree::remove(std::uint32_t index) {
  assert(contains(index));
  std::uint32_t cell = leaf_[index];
  const std::uint32_t last = cells_[cell].first + cells_[cell].alive - 1;
  const std::uint32_t place = place_[index];
  std::swap(items_[place], items_[last]);
  std::swap(item_points_[place], item_points_[last]);
  place_[items_[place]] = place;
  place_[index] = kNone;
  for (--cells_[cell].alive; cell != 0; --cells_[cell].alive) cell = cells_[cell].parent;
}

}  // namespace eco
