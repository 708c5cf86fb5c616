#include "core/search/neighbours.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/geometry/kd_tree.h"
#include "core/instance/distance.h"

namespace eco {

namespace {

// The k nearest of `node`, but of every quarter its own nearest first. They are put in order.
std::vector<PointNeighbour> spread(KdTree& tree, std::span<const Point> points, std::uint32_t node,
                                   std::size_t k, std::size_t quarter) {
  const auto nearest = tree.nearest(points[node], k, node);
  std::vector<PointNeighbour> near(nearest.begin(), nearest.end());
  std::array<std::size_t, 5> found{};
  for (const PointNeighbour& neighbour : near) {
    ++found[quarter_of(points[node], points[neighbour.index])];
  }
  const auto enough = [&](std::size_t count) { return count >= quarter; };
  if (std::all_of(found.begin(), found.begin() + 4, enough)) return near;
  std::vector<PointNeighbour> all;
  for (std::size_t q = 0; q < 4; ++q) {
    const auto its = tree.nearest_in_quarter(points[node], q, quarter);
    all.insert(all.end(), its.begin(), its.end());
  }
  const std::size_t fixed = all.size();
  for (const PointNeighbour& neighbour : near) {
    if (all.size() == k) break;
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(fixed);
    const auto same = [&](const PointNeighbour& other) { return other.index == neighbour.index; };
    if (std::none_of(all.begin(), end, same)) all.push_back(neighbour);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

NeighbourLists::NeighbourLists(const Instance& instance, std::size_t k, const Deadline& deadline,
                               std::size_t quarter)
    : nodes_(instance.size()),
      k_(std::min(k, nodes_ == 0 ? 0 : nodes_ - 1)),
      neighbours_(nodes_ * k_) {
  if (instance.metric == Metric::matrix) {
    from_matrix(instance, deadline);
  } else {
    from_points(instance.points, deadline, quarter);
    const bool bent = instance.metric == Metric::geo || instance.metric == Metric::great_circle;
    if (bent) sort_by_metric(instance, deadline);
  }
}

NeighbourLists::NeighbourLists(std::span<const Point> points, std::size_t k,
                               const Deadline& deadline)
    : nodes_(points.size()),
      k_(std::min(k, nodes_ == 0 ? 0 : nodes_ - 1)),
      neighbours_(nodes_ * k_) {
  from_points(points, deadline, 0);
}

bool NeighbourLists::give_up(std::size_t done, const Deadline& deadline) {
  constexpr std::size_t kNodesBetweenClockReads = 64;
  if (done % kNodesBetweenClockReads == 0 && deadline.reached()) complete_ = false;
  return !complete_;
}

void NeighbourLists::from_points(std::span<const Point> points, const Deadline& deadline,
                                 std::size_t quarter) {
  if (give_up(0, deadline)) return;
  if (4 * quarter > k_) quarter = 0;  // few nodes: the lists have all of them or nearly
  KdTree tree(points);
  std::size_t done = 0;
  // The tree's order asks for close points one after another, from a warm cache.
  for (const std::uint32_t node : tree.spatial_order()) {
    if (give_up(done++, deadline)) return;
    std::size_t place = node * k_;
    if (quarter > 0) {
      for (const PointNeighbour& neighbour : spread(tree, points, node, k_, quarter)) {
        neighbours_[place++] = neighbour.index;
      }
      continue;
    }
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
