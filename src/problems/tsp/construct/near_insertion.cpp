#include "problems/tsp/construct/near_insertion.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "core/geometry/kd_tree.h"
#include "core/instance/distance.h"

namespace eco {

namespace {

constexpr std::size_t kNearInside = 10;  // nodes of the tour beside which places are compared
constexpr std::size_t kEntriesBetweenClockReads = 64;

struct Farther {
  double squared_distance;  // to the nearest point inside
  std::uint32_t index;
  // The greatest is the farthest, of equal ones that of the lowest index.
  friend bool operator<(const Farther& a, const Farther& b) {
    return a.squared_distance != b.squared_distance ? a.squared_distance < b.squared_distance
                                                    : a.index > b.index;
  }
};

// near[i * kNearInside ...]: of order[i], the nearest among order[0 .. i-1], `count` of them.
struct NearInside {
  std::vector<std::uint32_t> nodes;
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t entry) const {
    return {nodes.data() + entry * kNearInside, std::min(entry, kNearInside)};
  }
};

std::optional<NearInside> near_inside(std::span<const Point> points,
                                      std::span<const std::uint32_t> order,
                                      const Deadline& deadline) {
  KdTree inside(points);
  NearInside near;
  near.nodes.resize(order.size() * kNearInside);
  for (std::size_t entry = order.size(); entry-- > 0;) {
    if (entry % kEntriesBetweenClockReads == 0 && deadline.reached()) return std::nullopt;
    inside.remove(order[entry]);
    std::size_t place = entry * kNearInside;
    for (const PointNeighbour& node : inside.nearest(points[order[entry]], kNearInside)) {
      near.nodes[place++] = node.index;
    }
  }
  return near;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> farthest_order(std::span<const Point> points,
                                                         std::uint32_t start,
                                                         const Deadline& deadline) {
  if (deadline.reached()) return std::nullopt;
  KdTree outside(points);
  std::vector<double> to_inside(points.size(), std::numeric_limits<double>::infinity());
  std::priority_queue<Farther> farthest;  // distances only fall: older entries of a node are stale
  std::vector<std::uint32_t> order;
  order.reserve(points.size());
  for (std::uint32_t entering = start;;) {
    if (order.size() % kEntriesBetweenClockReads == 0 && deadline.reached()) return std::nullopt;
    order.push_back(entering);
    outside.remove(entering);
    if (order.size() == points.size()) return order;
    // No point is farther from the inside than this one was, so none beyond that comes closer.
    const double reach = to_inside[entering];
    if (reach > 0) {
      outside.each_within(points[entering], reach, [&](std::uint32_t index, double distance) {
        if (distance >= to_inside[index]) return;
        to_inside[index] = distance;
        farthest.push({distance, index});
      });
    }
    while (!outside.contains(farthest.top().index) ||
           farthest.top().squared_distance != to_inside[farthest.top().index]) {
      farthest.pop();
    }
    entering = farthest.top().index;
    farthest.pop();
  }
}

std::optional<Solution> insert_near(const Instance& instance, std::span<const std::uint32_t> order,
                                    const Deadline& deadline) {
  const auto near = near_inside(instance.points, order, deadline);
  if (!near) return std::nullopt;
  const std::size_t nodes = order.size();
  std::vector<std::uint32_t> next(nodes), previous(nodes);
  std::vector<double> length(nodes, 0);  // of the edge from a node to its next
  next[order[0]] = previous[order[0]] = order[0];
  const bool done = with_distance(instance, [&](auto distance) {
    for (std::size_t entry = 1; entry < nodes; ++entry) {
      if (entry % kEntriesBetweenClockReads == 0 && deadline.reached()) return false;
      const std::uint32_t node = order[entry];
      double least = std::numeric_limits<double>::infinity();
      std::uint32_t before = order[0];
      const auto offer = [&](std::uint32_t from, double growth) {
        if (growth >= least) return;
        least = growth;
        before = from;
      };
      for (const std::uint32_t beside : near->of(entry)) {
        const double way = distance(node, beside);
        offer(beside, way + distance(node, next[beside]) - length[beside]);
        offer(previous[beside], way + distance(node, previous[beside]) - length[previous[beside]]);
      }
      const std::uint32_t after = next[before];
      next[before] = previous[after] = node;
      previous[node] = before;
      next[node] = after;
      length[before] = distance(before, node);
      length[node] = distance(node, after);
    }
    return true;
  });
  if (!done) return std::nullopt;
  Solution tour;
  tour.sequence.reserve(nodes);
  for (std::uint32_t node = order[0]; tour.sequence.size() < nodes; node = next[node]) {
    tour.sequence.emplace_back(node);
  }
  return tour;
}

}  // namespace eco
