#include "core/problem/random_order.h"

#include <algorithm>

namespace eco {

std::vector<NodeId> random_start(const Solution& tour, Rng& rng) {
  std::vector<NodeId> nodes = tour.sequence;
  const auto start = rng.below(static_cast<std::uint32_t>(nodes.size()));
  std::rotate(nodes.begin(), nodes.begin() + start, nodes.end());
  if (rng.below(2) == 1) std::reverse(nodes.begin() + 1, nodes.end());
  return nodes;
}

Solution shuffled_routes(const Solution& solution, Rng& rng) {
  Routes routes = to_routes(solution);
  rng.shuffle(std::span<Route>(routes));
  for (Route& route : routes) {
    if (rng.below(2) == 1) std::reverse(route.begin(), route.end());
  }
  return from_routes(routes);
}

Solution in_random_order(const ProblemFacts& problem, const Solution& solution, Rng& rng) {
  if (problem.depot) return shuffled_routes(solution, rng);
  if (problem.closed) return {random_start(solution, rng)};
  return solution;
}

}  // namespace eco
