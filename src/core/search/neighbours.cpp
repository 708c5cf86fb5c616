#include "core/search/neighbours.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/geometry/kd_tree.h"
#include "core/instance/distance.h"

namespace eco {

NeighbourLists::NeighbourLists(const Instance& instance, std::size_t k, const Deadline& deadline)
    : nodes_(instance.size()),
      k_(std::min(k, nodes_ == 0 ? 0 : nodes_ - 1)),
      neighbours_(nodes_ * k_) {
  if (instance.metric == Metric::matrix) {
    from_matrix(instance, deadline);
  } else {
    from_points(instance.points, deadline);
    const bool bent = instance.metric == Metric::geo || instance.metric == Metric::great_circle;
    if (bent) sort_by_metric(instance, deadline);
  }
}

NeighbourLists::NeighbourLists(std::span<const Point> points, std::size_t k,
                               const Deadline& deadline)
    : nodes_(points.size()),
      k_(std::min(k, nodes_ == 0 ? 0 : nodes_ - 1)),
      neighbours_(nodes_ * k_) {
  from_points(points, deadline);
}

bool NeighbourLists::give_up(std::size_t done, const Deadline& deadline) {
  constexpr std::size_t kNodesBetweenClockReads = 64;
  if (done % kNodesBetweenClockReads == 0 && deadline.reached()) complete_ = false;
  return !complete_;
}

void NeighbourLists::from_points(std::span<const Point> points, const Deadline& deadline) {
  if (give_up(0, deadline)) return;
  KdTree tree(points);
  std::size_t done = 0;
  // The tree's order asks for close points one after another, from a warm cache.
  for (const std::uint32_t node : tree.spatial_order()) {
    if (give_up(done++, deadline)) return;
    std::size_t place = node * k_;
    for (const PointNeighbour& neighbour : tree.nearest(points[node], k_, node)) {
      neighbours_[place++] = neighbour.index;
    }
  }
}

void NeighbourLists::from_matrix(const Instance& instance, const Deadline& deadline) {
  std::vector<std::uint32_t> others(nodes_);
  std::vector<double> row(nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) {
    if (give_up(node, deadline)) return;
    for (std::size_t other = 0; other < nodes_; ++other) {
      row[other] =
          std::min(instance.matrix[node * nodes_ + other], instance.matrix[other * nodes_ + node]);
    }
    std::iota(others.begin(), others.end(), 0U);
    std::swap(others[node], others.back());
    const auto middle = others.begin() + static_cast<std::ptrdiff_t>(k_);
    std::partial_sort(others.begin(), middle, others.end() - 1,
                      [&row](std::uint32_t a, std::uint32_t b) {
                        return row[a] != row[b] ? row[a] < row[b] : a < b;
                      });
    std::copy(others.begin(), middle, neighbours_.begin() + static_cast<std::ptrdiff_t>(node * k_));
  }
}

void NeighbourLists::sort_by_metric(const Instance& instance, const Deadline& deadline) {
  std::vector<std::pair<double, std::uint32_t>> keyed(k_);
  with_distance(instance, [&](auto distance) {
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (give_up(node, deadline)) return;
      std::uint32_t* row = neighbours_.data() + node * k_;
      for (std::size_t i = 0; i < k_; ++i) keyed[i] = {distance(node, row[i]), row[i]};
      std::sort(keyed.begin(), keyed.end());
      for (std::size_t i = 0; i < k_; ++i) row[i] = keyed[i].second;
    }
  });
}

}  // namespace eco
