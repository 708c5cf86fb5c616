#include "problems/cvrp/search/two_opt_intra.h"

#include <utility>

namespace eco {

double TwoOptIntra::improve_at(RouteState& state, std::uint32_t node) {
  const std::uint32_t route = state.route_of(node);
  const std::size_t stops = state.route(route).size();
  for (const bool forward : {true, false}) {
    // The edge from `node` in the direction of travel (or against it), and the same of another node
    // of the route, are replaced by an edge between the two nodes and one between their ends.
    const auto beside = [&](std::uint32_t n) {
      if (n == 0) return forward ? state.first(route) : state.last(route);
      return forward ? state.next(n) : state.previous(n);
    };
    // The edge beside n leads from place_of_edge - 1 to place_of_edge.
    const auto place_of_edge = [&](std::uint32_t n) -> std::size_t {
      if (n == 0) return forward ? 0 : stops;
      return forward ? state.place_of(n) + 1U : state.place_of(n);
    };
    const std::uint32_t node_end = beside(node);
    const double removed = state.distance(node, node_end);
    double gain = 0;
    const auto try_other = [&](std::uint32_t other) {
      if (other != 0 && state.route_of(other) != route) return false;
      const std::uint32_t other_end = beside(other);
      gain = removed + state.distance(other, other_end) - state.distance(node, other) -
             state.distance(node_end, other_end);
      if (gain <= state.tolerance()) return false;
      std::size_t begin = place_of_edge(node), end = place_of_edge(other);
      if (begin > end) std::swap(begin, end);
      state.reverse(route, begin, end);
      return true;
    };
    // In any improving exchange one new edge is shorter than an old one at one of its ends.
    if (state.distance(node, 0) < removed && try_other(0)) return gain;
    if (state.any_within(node, removed, try_other)) return gain;
  }
  return 0;
}

}  // namespace eco
