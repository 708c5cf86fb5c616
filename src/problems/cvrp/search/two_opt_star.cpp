#include "problems/cvrp/search/two_opt_star.h"

namespace eco {

namespace {

// A route cut before `place`, and the customers (or the depot) on both sides of the cut.
struct Cut {
  std::uint32_t route;
  std::size_t place;
  std::uint32_t left, right;
  std::int64_t head, tail;  // loads of the two parts
};

Cut cut(const RouteState& state, std::uint32_t route, std::size_t place) {
  const auto stops = state.route(route);
  const std::uint32_t left = place == 0 ? 0 : stops[place - 1];
  const std::uint32_t right = place == stops.size() ? 0 : stops[place];
  const std::int64_t head = left == 0 ? 0 : state.load_through(left);
  return {route, place, left, right, head, state.load(route) - head};
}

// Joins the parts crosswise if that is feasible and shorter; the gain, or 0.
double try_join(RouteState& state, const Cut& a, const Cut& b, bool reversed) {
  if (a.route == b.route) return 0;
  const std::int64_t one = a.head + (reversed ? b.head : b.tail);
  const std::int64_t two = a.tail + (reversed ? b.tail : b.head);
  if (!state.can_carry(one) || !state.can_carry(two)) return 0;
  const double removed = state.distance(a.left, a.right) + state.distance(b.left, b.right);
  const double added = reversed ? state.distance(a.left, b.left) + state.distance(a.right, b.right)
                                : state.distance(a.left, b.right) + state.distance(b.left, a.right);
  const double gain = removed - added;
  if (gain <= state.tolerance()) return 0;
  if (reversed) {
    state.exchange_reversed(a.route, a.place, b.route, b.place);
  } else {
    state.exchange_tails(a.route, a.place, b.route, b.place);
  }
  return gain;
}

}  // namespace

double TwoOptStar::improve_at(RouteState& state, std::uint32_t node) {
  const std::uint32_t route = state.route_of(node);
  for (const bool behind : {true, false}) {
    const Cut own = cut(state, route, state.place_of(node) + (behind ? 1U : 0U));
    const double removed = state.distance(own.left, own.right);
    double gain = 0;
    // `node` gets `other` as its new neighbour: either other's near side in the direction of travel
    // or, with a part reversed, its far side.
    const auto join_to = [&](std::uint32_t other) {
      const std::uint32_t route_b = state.route_of(other);
      if (route_b == route) return false;
      const std::size_t place = state.place_of(other);
      gain = try_join(state, own, cut(state, route_b, behind ? place : place + 1), false);
      if (gain <= 0) {
        gain = try_join(state, own, cut(state, route_b, behind ? place + 1 : place), true);
      }
      return gain > 0;
    };
    // In any improving exchange one new edge is shorter than an old one at one of its ends.
    if (state.any_within(node, removed, join_to)) return gain;
    // The depot as the new neighbour; or, for the end of a route, as one that is given up: joining
    // two whole routes can pay however far apart their ends are.
    const bool joins_routes = own.left == 0 || own.right == 0;
    if (!joins_routes && state.distance(node, 0) >= removed) continue;
    for (std::uint32_t route_b = 0; route_b < state.routes(); ++route_b) {
      const std::size_t end = state.route(route_b).size();
      const std::size_t place = behind == joins_routes ? 0 : end;
      gain = try_join(state, own, cut(state, route_b, place), false);
      if (gain <= 0) gain = try_join(state, own, cut(state, route_b, end - place), true);
      if (gain > 0) return gain;
    }
  }
  return 0;
}

}  // namespace eco
