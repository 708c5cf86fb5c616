#include "problems/cvrp/search/relocate.h"

#include <algorithm>

namespace eco {

namespace {

// What the routes lose by taking the customer out.
double removal_gain(const RouteState& state, std::uint32_t customer) {
  const std::uint32_t previous = state.previous(customer), next = state.next(customer);
  return state.distance(previous, customer) + state.distance(customer, next) -
         state.distance(previous, next);
}

// Moves the customer to `place` of the route if that is feasible and shorter; the gain, or 0.
double try_place(RouteState& state, std::uint32_t customer, double removed, std::uint32_t route,
                 std::size_t place) {
  const std::uint32_t from = state.route_of(customer);
  if (from == route) {
    const std::size_t own = state.place_of(customer);
    if (place == own || place == own + 1) return 0;  // where it is
  } else if (!state.can_carry(state.load(route) + state.demand(customer))) {
    return 0;
  }
  const auto stops = state.route(route);
  const std::uint32_t before = place == 0 ? 0 : stops[place - 1];
  const std::uint32_t after = place == stops.size() ? 0 : stops[place];
  const double added = state.distance(before, customer) + state.distance(customer, after) -
                       state.distance(before, after);
  const double gain = removed - added;
  if (gain <= state.tolerance()) return 0;
  state.relocate(customer, route, place);
  return gain;
}

}  // namespace

// An improving move removes (p,u) (u,s) (v,w) and adds (u,v) (u,w) (p,s). Going round these edges
// alternately, some start has only positive partial gains: then either u has a new neighbour within
// its own edges or its removal gain, or v or w has u within the edge that receives it.
double Relocate::improve_at(RouteState& state, std::uint32_t node) {
  double gain = 0;
  const double before = state.distance(state.previous(node), node);
  const double after = state.distance(node, state.next(node));
  const double removed = removal_gain(state, node);
  const double radius = std::max({before, after, removed});

  const auto beside = [&](std::uint32_t host) {
    const std::uint32_t route = state.route_of(host);
    const std::size_t place = state.place_of(host);
    gain = try_place(state, node, removed, route, place + 1);
    if (gain <= 0) gain = try_place(state, node, removed, route, place);
    return gain > 0;
  };
  if (state.any_within(node, radius, beside)) return gain;
  if (state.distance(node, 0) < radius) {
    for (std::uint32_t route = 0; route < state.routes(); ++route) {
      gain = try_place(state, node, removed, route, 0);
      if (gain <= 0) gain = try_place(state, node, removed, route, state.route(route).size());
      if (gain > 0) return gain;
    }
  }

  const auto pull = [&](std::uint32_t guest) {
    const std::uint32_t route = state.route_of(node);
    const std::size_t place = state.place_of(node);
    const double guest_removed = removal_gain(state, guest);
    gain = try_place(state, guest, guest_removed, route, place + 1);
    if (gain <= 0) gain = try_place(state, guest, guest_removed, route, place);
    return gain > 0;
  };
  if (state.any_within(node, std::max(before, after), pull)) return gain;
  return 0;
}

}  // namespace eco
