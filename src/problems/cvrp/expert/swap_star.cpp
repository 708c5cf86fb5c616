#include "problems/cvrp/expert/swap_star.h"

#include <limits>

namespace eco {

double SwapStar::removal(const RouteState& state, std::uint32_t customer) const {
  const std::uint32_t previous = state.previous(customer), next = state.next(customer);
  return distance_(previous, next) - distance_(previous, customer) - distance_(customer, next);
}

void SwapStar::find_places(const RouteState& state, std::uint32_t from, std::uint32_t to) {
  constexpr double kNoPlace = std::numeric_limits<double>::infinity();
  for (const std::uint32_t customer : state.route(from)) {
    auto& best = best_places_[customer];
    best.fill({kNoPlace, 0, 0});
    std::uint32_t left = 0;
    double to_left = distance_(customer, 0);
    const auto offer = [&](std::uint32_t right) {
      const double to_right = distance_(customer, right);
      const Place place{to_left + to_right - distance_(left, right), left, right};
      left = right;
      to_left = to_right;
      if (place.growth >= best[2].growth) return;
      std::size_t rank = 2;
      for (; rank > 0 && place.growth < best[rank - 1].growth; --rank) best[rank] = best[rank - 1];
      best[rank] = place;
    };
    for (const std::uint32_t right : state.route(to)) offer(right);
    offer(0);
  }
}

SwapStar::Place SwapStar::place_without(const RouteState& state, std::uint32_t customer,
                                        std::uint32_t leaving) const {
  const std::uint32_t left = state.previous(leaving), right = state.next(leaving);
  Place best{distance_(left, customer) + distance_(customer, right) - distance_(left, right), left,
             right};
  for (const Place& place : best_places_[customer]) {
    if (place.growth >= best.growth) break;
    if (place.left == leaving || place.right == leaving) continue;
    best = place;
    break;
  }
  return best;
}

bool SwapStar::improve(RouteState& state, std::uint32_t a, std::uint32_t b, double penalty,
                       double tolerance) {
  penalty_ = penalty;
  find_places(state, a, b);
  find_places(state, b, a);
  const std::int64_t load_a = state.load(a), load_b = state.load(b);
  const double now = overload(load_a) + overload(load_b);
  Exchange best{-tolerance, 0, 0, 0, 0};
  const auto penalties = [&](std::int64_t to_b) {
    return overload(load_a - to_b) + overload(load_b + to_b) - now;
  };

  for (const std::uint32_t u : state.route(a)) {
    const double removal_u = removal(state, u);
    for (const std::uint32_t v : state.route(b)) {
      const double bound =
          removal_u + removal(state, v) + penalties(state.demand(u) - state.demand(v));
      if (bound >= best.change) continue;  // going in costs something
      const Place place_u = place_without(state, u, v), place_v = place_without(state, v, u);
      const double change = bound + place_u.growth + place_v.growth;
      if (change < best.change) best = {change, u, place_u.left, v, place_v.left};
    }
    const Place& place = best_places_[u][0];
    const double change = removal_u + place.growth + penalties(state.demand(u));
    if (change < best.change) best = {change, u, place.left, 0, 0};
  }
  for (const std::uint32_t v : state.route(b)) {
    const Place& place = best_places_[v][0];
    const double change = removal(state, v) + place.growth + penalties(-state.demand(v));
    if (change < best.change) best = {change, 0, 0, v, place.left};
  }
  if (best.u == 0 && best.v == 0) return false;
  const auto behind = [&](std::uint32_t left) { return left == 0 ? 0 : state.place_of(left) + 1U; };
  if (best.u != 0) state.relocate(best.u, b, behind(best.left_u));
  if (best.v != 0) state.relocate(best.v, a, behind(best.left_v));
  return true;
}

}  // namespace eco
