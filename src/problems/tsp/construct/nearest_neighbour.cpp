#include "problems/tsp/construct/nearest_neighbour.h"

#include <vector>

#include "core/base/rng.h"
#include "core/geometry/kd_tree.h"

namespace eco {

namespace {

std::optional<Solution> by_tree(const Instance& instance, std::uint32_t start,
                                const Deadline& deadline) {
  constexpr std::size_t kNodesBetweenClockReads = 64;
  if (deadline.reached()) return std::nullopt;
  Solution tour;
  tour.sequence.reserve(instance.size());
  KdTree unvisited(instance.points);
  for (std::uint32_t node = start; node != KdTree::kNone;
       node = unvisited.nearest_one(instance.points[node])) {
    if (tour.sequence.size() % kNodesBetweenClockReads == 0 && deadline.reached()) {
      return std::nullopt;
    }
    tour.sequence.emplace_back(node);
    unvisited.remove(node);
  }
  return tour;
}

std::optional<Solution> by_matrix(const Instance& instance, std::uint32_t start,
                                  const Deadline& deadline) {
  const std::size_t nodes = instance.size();
  std::vector<std::uint32_t> unvisited;  // ascending, so that equal distances go by index
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (node != start) unvisited.push_back(node);
  }
  Solution tour;
  tour.sequence.emplace_back(start);
  while (!unvisited.empty()) {
    if (deadline.reached()) return std::nullopt;
    const double* row = instance.matrix.data() + tour.sequence.back().index() * nodes;
    std::size_t best = 0;
    for (std::size_t i = 1; i < unvisited.size(); ++i) {
      if (row[unvisited[i]] < row[unvisited[best]]) best = i;
    }
    tour.sequence.emplace_back(unvisited[best]);
    unvisited.erase(unvisited.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return tour;
}

}  // namespace

std::optional<Solution> nearest_neighbour_tour(const Instance& instance, std::uint64_t seed,
                                               const Deadline& deadline) {
  const std::uint32_t start = Rng(seed).below(static_cast<std::uint32_t>(instance.size()));
  return instance.metric == Metric::matrix ? by_matrix(instance, start, deadline)
                                           : by_tree(instance, start, deadline);
}

}  // namespace eco
