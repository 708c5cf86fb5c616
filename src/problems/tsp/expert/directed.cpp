#include "problems/tsp/expert/directed.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/expert/forced_paths.h"
#include "core/problem/problem.h"
#include "problems/tsp/construct/nearest_neighbour.h"
#include "problems/tsp/expert/search_team.h"

namespace eco {

namespace {

// Node v arrives as 2v and leaves as 2v + 1.
std::uint32_t arrival(std::size_t node) {
  return static_cast<std::uint32_t>(2 * node);
}
std::uint32_t departure(std::size_t node) {
  return arrival(node) + 1;
}

struct DirectedDistance {
  const double* matrix;  // [nodes, nodes]
  std::size_t nodes;
  double forbidden;  // between two of a kind: more than any move can gain
  double operator()(std::size_t a, std::size_t b) const {
    if (((a ^ b) & 1U) == 0) return forbidden;
    return (a & 1U) != 0 ? matrix[(a >> 1U) * nodes + (b >> 1U)]
                         : matrix[(b >> 1U) * nodes + (a >> 1U)];
  }
};

DirectedDistance directed_distance(const Instance& instance) {
  double longest = 0;
  for (const double length : instance.matrix) longest = std::max(longest, std::fabs(length));
  constexpr double kMostRemoved = 8;  // edges that a move or a perturbation removes, and more
  return {instance.matrix.data(), instance.size(), 1 + kMostRemoved * longest};
}

// Where a departure goes to, and where an arrival comes from: nearest first.
NeighbourLists directed_neighbours(const DirectedDistance& distance, std::size_t k,
                                   const Deadline& deadline) {
  const std::size_t nodes = distance.nodes, length = std::min(k, nodes - 1);
  std::vector<std::uint32_t> lists, others(nodes);
  lists.reserve(2 * nodes * length);
  for (std::uint32_t node = 0; node < 2 * nodes; ++node) {
    if (deadline.reached()) return {2 * nodes, 0, {}};
    for (std::uint32_t other = 0; other < nodes; ++other) {
      others[other] = (node & 1U) != 0 ? arrival(other) : departure(other);
    }
    std::swap(others[node >> 1U], others.back());
    const auto middle = others.begin() + static_cast<std::ptrdiff_t>(length);
    std::partial_sort(others.begin(), middle, others.end() - 1,
                      [&](std::uint32_t a, std::uint32_t b) {
                        const double to_a = distance(node, a), to_b = distance(node, b);
                        return to_a != to_b ? to_a < to_b : a < b;
                      });
    lists.insert(lists.end(), others.begin(), middle);
  }
  return {2 * nodes, length, std::move(lists)};
}

// The nodes in the direction from arrivals to departures.
Solution directed_tour(std::span<const std::uint32_t> order) {
  const std::size_t size = order.size();
  const bool whole = order[0] >> 1U == order[1] >> 1U;  // no node lies across the seam
  const bool forward = ((order[0] & 1U) == 0) == whole;
  Solution tour;
  tour.sequence.reserve(size / 2);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t node = order[forward ? i : size - 1 - i];
    if ((node & 1U) == 0) tour.sequence.emplace_back(node >> 1U);
  }
  return tour;
}

}  // namespace

Solution solve_directed(const Instance& instance, const IlsOptions& options) {
  if (!options.forced.empty()) {
    throw input_error({instance.name, 0},
                      "forced edges need distances that are the same in both directions");
  }
  Solution first;
  if (options.start != nullptr) {
    (void)ForcedPaths(instance, {}).require_start(instance, *options.start);
    first = *options.start;
  } else if (auto nearest = nearest_neighbour_tour(instance, options.seed, options.deadline)) {
    first = std::move(*nearest);
  } else {
    for (std::size_t node = 0; node < instance.size(); ++node) first.sequence.emplace_back(node);
  }
  constexpr std::size_t kSmallest = 3;  // below, there is one tour
  if (instance.size() < kSmallest || options.deadline.reached()) return first;

  const DirectedDistance distance = directed_distance(instance);
  constexpr std::size_t kNear = 10;
  const NeighbourLists neighbours = directed_neighbours(distance, kNear, options.deadline);
  if (neighbours.k() == 0) return first;  // out of time
  std::vector<std::uint32_t> order, partner(2 * instance.size());
  order.reserve(partner.size());
  for (const NodeId node : first.sequence) {
    order.push_back(arrival(node.index()));
    order.push_back(departure(node.index()));
  }
  for (std::uint32_t node = 0; node < partner.size(); ++node) partner[node] = node ^ 1U;

  const std::vector<std::uint32_t> along = order;
  TourSearch search{ils_budget(options, instance.size()), options.threads, options.seed,
                    options.progress};
  search.run(distance, neighbours, Partners{partner}, along, order);
  Solution tour = directed_tour(order);
  return cost(instance, tour) < cost(instance, first) ? tour : first;
}

}  // namespace eco
