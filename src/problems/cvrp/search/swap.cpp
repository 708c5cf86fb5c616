#include "problems/cvrp/search/swap.h"

#include <algorithm>

namespace eco {

namespace {

// How much shorter the routes are with a and b in each other's places.
double swap_gain(const RouteState& state, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t before_a = state.previous(a), after_a = state.next(a);
  const std::uint32_t before_b = state.previous(b), after_b = state.next(b);
  if (after_a == b) {  // the edge between them stays
    return state.distance(before_a, a) + state.distance(b, after_b) - state.distance(before_a, b) -
           state.distance(a, after_b);
  }
  return state.distance(before_a, a) + state.distance(a, after_a) + state.distance(before_b, b) +
         state.distance(b, after_b) - state.distance(before_a, b) - state.distance(b, after_a) -
         state.distance(before_b, a) - state.distance(a, after_b);
}

bool feasible(const RouteState& state, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t route_a = state.route_of(a), route_b = state.route_of(b);
  if (route_a == route_b) return true;
  const std::int64_t more = state.demand(b) - state.demand(a);  // for the route of a
  return state.can_carry(state.load(route_a) + more) && state.can_carry(state.load(route_b) - more);
}

double try_swap(RouteState& state, std::uint32_t a, std::uint32_t b) {
  if (a == b || a == 0 || b == 0 || !feasible(state, a, b)) return 0;
  const double gain = state.next(b) == a ? swap_gain(state, b, a) : swap_gain(state, a, b);
  if (gain <= state.tolerance()) return 0;
  state.swap(a, b);
  return gain;
}

}  // namespace

// After an improving swap one of the two has a new neighbour nearer than one of its old ones; so it
// is enough to look at customers beside those within the longer of the node's own edges.
double Swap::improve_at(RouteState& state, std::uint32_t node) {
  double gain = 0;
  const double radius =
      std::max(state.distance(state.previous(node), node), state.distance(node, state.next(node)));
  const auto beside = [&](std::uint32_t other) {
    gain = try_swap(state, node, state.next(other));
    if (gain <= 0) gain = try_swap(state, node, state.previous(other));
    return gain > 0;
  };
  if (state.any_within(node, radius, beside)) return gain;
  if (state.distance(node, 0) < radius) {
    for (std::uint32_t route = 0; route < state.routes(); ++route) {
      gain = try_swap(state, node, state.first(route));
      if (gain <= 0) gain = try_swap(state, node, state.last(route));
      if (gain > 0) return gain;
    }
  }
  return 0;
}

}  // namespace eco
