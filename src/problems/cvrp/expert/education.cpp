#include "problems/cvrp/expert/education.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace eco {

namespace {

constexpr std::size_t kNear = 20;
constexpr double kGainTolerance = 1e-9;  // relative to the longest distance from the depot

double tolerance_of(const Instance& instance, const DistanceTable& distance) {
  double longest = 0;
  for (std::size_t i = 1; i < instance.size(); ++i) longest = std::max(longest, distance(0, i));
  return kGainTolerance * longest;
}

}  // namespace

Education::Education(const Instance& instance, const DistanceTable& distance,
                     const NeighbourLists& neighbours)
    : distance_(distance),
      capacity_(instance.capacity),
      tolerance_(tolerance_of(instance, distance)),
      state_(instance, neighbours, true),  // no queue of touched customers here
      swap_star_(instance, distance),
      near_(instance.size()),
      order_(instance.customers()),
      tested_at_(instance.size()) {
  for (std::uint32_t i = 1; i < instance.size(); ++i) {
    for (const std::uint32_t j : neighbours.of(i)) {
      if (near_[i].size() < kNear && j != 0) near_[i].push_back(j);
    }
  }
}

double Education::shift(std::uint32_t from, std::uint32_t to, std::int64_t amount) const {
  if (from == to) return 0;
  const std::int64_t load_from = state_.load(from), load_to = state_.load(to);
  return overload(load_from - amount) - overload(load_from) + overload(load_to + amount) -
         overload(load_to);
}

double Education::relief(std::uint32_t a, std::uint32_t b) const {
  return a == b ? 0.0 : overload(state_.load(a)) + overload(state_.load(b));
}

std::uint32_t Education::empty_route() const {
  std::uint32_t route = state_.routes();
  while (!state_.route(--route).empty()) {
  }
  return route;
}

Education::Gap Education::gap(std::uint32_t route, std::size_t place) const {
  const auto stops = state_.route(route);
  return {route, place, place == 0 ? 0 : stops[place - 1],
          place == stops.size() ? 0 : stops[place]};
}

void Education::changed(std::uint32_t a, std::uint32_t b) {
  changed_at_.resize(state_.routes(), 0);
  swap_tested_at_.resize(state_.routes(), 0);
  changed_at_[a] = changed_at_[b] = ++moves_;
  state_.clear_touched();
}

void Education::improve(CustomerRoutes& routes, double penalty, Rng& rng) {
  penalty_ = penalty;
  state_.assign(routes);
  moves_ = 1;
  swap_tested_at_.assign(state_.routes(), 0);
  changed_at_.assign(state_.routes(), 1);
  std::fill(tested_at_.begin(), tested_at_.end(), 0);
  std::iota(order_.begin(), order_.end(), 1U);  // so that nothing of earlier routes is left
  rng.shuffle(std::span(order_));
  bool improved = true;
  for (bool first = true; improved; first = false) {
    improved = false;
    for (const std::uint32_t u : order_) {
      const std::uint64_t tested = tested_at_[u];
      tested_at_[u] = moves_;
      for (const std::uint32_t v : near_[u]) {
        const std::uint64_t change =
            std::max(changed_at_[state_.route_of(u)], changed_at_[state_.route_of(v)]);
        if (change > tested && improve_near(u, v)) improved = true;
      }
      if (!first) {
        const Gap alone = gap(empty_route(), 0);
        if (move_into(u, alone) || cross(u, alone)) improved = true;
      }
    }
    if (!improved) improved = swap_star_all();
  }
  state_.copy_to(routes);
}

bool Education::improve_near(std::uint32_t u, std::uint32_t v) {
  const std::uint32_t route = state_.route_of(v);
  const std::size_t place = state_.place_of(v);
  if (move_into(u, gap(route, place + 1)) || swap_with(u, v)) return true;
  if (state_.route_of(u) == route ? reverse_between(u, v) : cross(u, gap(route, place + 1))) {
    return true;
  }
  if (place != 0) return false;
  const Gap front = gap(route, 0);
  return move_into(u, front) || (state_.route_of(u) != route && cross(u, front));
}

bool Education::move_into(std::uint32_t u, const Gap& gap) {
  const std::uint32_t route = state_.route_of(u);
  const std::uint32_t before = state_.previous(u), x = state_.next(u);
  if (gap.left == u || gap.right == u) return false;
  const double opened = distance_(gap.left, gap.right);
  const double to_left = distance_(gap.left, u);
  const auto apply = [&](std::uint32_t first, std::uint32_t second) {
    state_.relocate(first, gap.route, gap.place);
    if (second != 0) state_.relocate(second, gap.route, state_.place_of(first) + 1U);
    changed(route, gap.route);
    return true;
  };

  // The most that relieved penalties can add: spares the loads of most moves.
  const double limit = relief(route, gap.route) - tolerance_;
  const double edge_before = distance_(before, u), edge_x = distance_(u, x);
  const double one =
      distance_(before, x) - edge_before - edge_x + to_left + distance_(u, gap.right) - opened;
  if (one < limit && one + shift(route, gap.route, state_.demand(u)) < -tolerance_) {
    return apply(u, 0);
  }
  if (x == 0 || gap.left == x || gap.right == x) return false;
  const std::uint32_t after = state_.next(x);
  const double closed = distance_(before, after) - edge_before - distance_(x, after) - opened;
  const double straight = closed + to_left + distance_(x, gap.right);
  const double turned = closed + distance_(gap.left, x) + distance_(u, gap.right);
  if (std::min(straight, turned) >= limit) return false;
  const double excess = shift(route, gap.route, state_.demand(u) + state_.demand(x));
  if (straight <= turned) return straight + excess < -tolerance_ && apply(u, x);
  return turned + excess < -tolerance_ && apply(x, u);
}

bool Education::swap_with(std::uint32_t u, std::uint32_t v) {
  const std::uint32_t route_u = state_.route_of(u), route_v = state_.route_of(v);
  const std::uint32_t x = state_.next(u), y = state_.next(v);
  const std::uint32_t before_u = state_.previous(u), before_v = state_.previous(v);
  if (x == v || y == u) return false;
  const double kept = distance_(before_u, u) + distance_(before_v, v);
  const double entering = distance_(before_u, v) + distance_(before_v, u);
  const double edge_x = distance_(u, x), edge_y = distance_(v, y);
  const double limit = relief(route_u, route_v) - tolerance_;

  const double single = entering + distance_(v, x) + distance_(u, y) - kept - edge_x - edge_y;
  if (single < limit &&
      single + shift(route_u, route_v, state_.demand(u) - state_.demand(v)) < -tolerance_) {
    state_.swap(u, v);
    changed(route_u, route_v);
    return true;
  }
  if (x == 0 || x == before_v) return false;
  const std::uint32_t after_x = state_.next(x);
  const double edge_after_x = distance_(x, after_x);
  const std::int64_t pair = state_.demand(u) + state_.demand(x);
  const double two_one =
      entering + distance_(v, after_x) + distance_(x, y) - kept - edge_after_x - edge_y;
  if (two_one < limit && two_one + shift(route_u, route_v, pair - state_.demand(v)) < -tolerance_) {
    state_.swap(u, v);
    state_.relocate(x, route_v, state_.place_of(u) + 1U);
    changed(route_u, route_v);
    return true;
  }
  if (y == 0 || y == before_u || u > v) return false;
  const std::uint32_t after_y = state_.next(y);
  const double two_two = entering + distance_(y, after_x) + distance_(x, after_y) - kept -
                         edge_after_x - distance_(y, after_y);
  if (two_two < limit &&
      two_two + shift(route_u, route_v, pair - state_.demand(v) - state_.demand(y)) < -tolerance_) {
    state_.swap(u, v);
    state_.swap(x, y);
    changed(route_u, route_v);
    return true;
  }
  return false;
}

bool Education::reverse_between(std::uint32_t u, std::uint32_t v) {
  const std::uint32_t x = state_.next(u), y = state_.next(v);
  if (distance_(u, v) + distance_(x, y) - distance_(u, x) - distance_(v, y) >= -tolerance_) {
    return false;
  }
  const std::size_t one = state_.place_of(u) + 1U, two = state_.place_of(v) + 1U;
  const std::uint32_t route = state_.route_of(u);
  state_.reverse(route, std::min(one, two), std::max(one, two));
  changed(route, route);
  return true;
}

bool Education::cross(std::uint32_t u, const Gap& gap) {
  const std::uint32_t route = state_.route_of(u), x = state_.next(u);
  const double removed = distance_(u, x) + distance_(gap.left, gap.right);
  const double straight = distance_(u, gap.right) + distance_(gap.left, x) - removed;
  const double turned = distance_(u, gap.left) + distance_(x, gap.right) - removed;
  if (std::min(straight, turned) >= relief(route, gap.route) - tolerance_) return false;
  const std::int64_t head_u = state_.load_through(u), load_u = state_.load(route);
  const std::int64_t head_v = gap.left == 0 ? 0 : state_.load_through(gap.left);
  const std::int64_t load_v = state_.load(gap.route);
  const double now = overload(load_u) + overload(load_v);
  const std::size_t place = state_.place_of(u) + 1U;
  const std::int64_t straight_load = head_u + load_v - head_v;
  if (straight + overload(straight_load) + overload(load_u + load_v - straight_load) - now <
      -tolerance_) {
    state_.exchange_tails(route, place, gap.route, gap.place);
    changed(route, gap.route);
    return true;
  }
  const std::int64_t turned_load = head_u + head_v;
  if (turned + overload(turned_load) + overload(load_u + load_v - turned_load) - now <
      -tolerance_) {
    state_.exchange_reversed(route, place, gap.route, gap.place);
    changed(route, gap.route);
    return true;
  }
  return false;
}

// Only pairs of routes that have near customers in common, and only if one has changed since.
bool Education::swap_star_all() {
  bool improved = false;
  for (std::uint32_t a = 0; a < state_.routes(); ++a) {
    const std::uint64_t tested = swap_tested_at_[a];
    swap_tested_at_[a] = moves_;
    related_.assign(state_.routes(), 0);
    for (const std::uint32_t u : state_.route(a)) {
      for (const std::uint32_t v : near_[u]) related_[state_.route_of(v)] = 1;
    }
    for (std::uint32_t b = 0; b < state_.routes(); ++b) {
      if (b == a || related_[b] == 0) continue;
      const std::uint64_t change = std::max(changed_at_[a], changed_at_[b]);
      if (change <= tested || (b < a && change <= swap_tested_at_[b])) continue;
      if (!swap_star_.improve(state_, a, b, penalty_, tolerance_)) continue;
      changed(a, b);
      improved = true;
      break;
    }
  }
  return improved;
}

}  // namespace eco
