#include "problems/cvrp/search/route_state.h"

#include <algorithm>

namespace eco {

RouteState::RouteState(const Instance& instance, const NeighbourLists& neighbours, bool exhaustive)
    : instance_(&instance),
      distance_(instance),
      neighbours_(&neighbours),
      exhaustive_(exhaustive),
      stops_(instance.size()) {}

void RouteState::assign(const Solution& solution, double solution_cost) {
  // Far above the rounding error of one move, far below any real improvement.
  tolerance_ = 1e-13 * solution_cost;
  routes_.assign(1, {});
  order_.clear();
  touched_.clear();
  for (const NodeId node : solution.sequence) {
    if (node != kDepot) {
      routes_.back().push_back(static_cast<std::uint32_t>(node.index()));
      order_.push_back(routes_.back().back());
    } else if (!routes_.back().empty()) {
      routes_.emplace_back();
    }
  }
  if (!routes_.back().empty()) routes_.emplace_back();
  for (std::uint32_t r = 0; r < routes(); ++r) refresh(r);
}

Solution RouteState::solution() const {
  Solution solution;
  solution.sequence.push_back(kDepot);
  for (const auto& customers : routes_) {
    if (customers.empty()) continue;
    for (const std::uint32_t customer : customers) solution.sequence.emplace_back(customer);
    solution.sequence.push_back(kDepot);
  }
  return solution;
}

void RouteState::assign(const std::vector<std::vector<std::uint32_t>>& routes) {
  routes_ = routes;
  routes_.emplace_back();
  touched_.clear();
  for (std::uint32_t r = 0; r < this->routes(); ++r) refresh(r);
}

void RouteState::copy_to(std::vector<std::vector<std::uint32_t>>& routes) const {
  routes.clear();
  for (const auto& customers : routes_) {
    if (!customers.empty()) routes.push_back(customers);
  }
}

void RouteState::refresh(std::uint32_t route) {
  const auto& customers = routes_[route];
  std::int64_t load = 0;
  for (std::uint32_t place = 0; place < customers.size(); ++place) {
    load += demand(customers[place]);
    stops_[customers[place]] = {place == 0 ? 0 : customers[place - 1],
                                place + 1 == customers.size() ? 0 : customers[place + 1], route,
                                place, load};
  }
}

void RouteState::touch_around(std::uint32_t route, std::size_t place) {
  const auto& customers = routes_[route];
  const std::size_t end = std::min(place + 1, customers.size());
  for (std::size_t i = place == 0 ? 0 : place - 1; i < end; ++i) touched_.push_back(customers[i]);
}

// Loads have changed, so customers far from the new edges may move now that could not before. An
// exhaustive search finds them in its last sweep over all customers.
void RouteState::touch_routes(std::uint32_t a, std::uint32_t b) {
  if (exhaustive_ || a == b) return;
  for (const std::uint32_t route : {a, b}) {
    touched_.insert(touched_.end(), routes_[route].begin(), routes_[route].end());
  }
}

void RouteState::reverse(std::uint32_t route, std::size_t begin, std::size_t end) {
  auto& customers = routes_[route];
  std::reverse(customers.begin() + static_cast<std::ptrdiff_t>(begin),
               customers.begin() + static_cast<std::ptrdiff_t>(end));
  refresh(route);
  touch_around(route, begin);
  touch_around(route, end);
}

void RouteState::relocate(std::uint32_t customer, std::uint32_t route, std::size_t place) {
  const std::uint32_t from = route_of(customer);
  const std::size_t old_place = place_of(customer);
  const bool opens_route = routes_[route].empty();
  if (from == route && old_place < place) --place;
  routes_[from].erase(routes_[from].begin() + static_cast<std::ptrdiff_t>(old_place));
  routes_[route].insert(routes_[route].begin() + static_cast<std::ptrdiff_t>(place), customer);
  if (opens_route) routes_.emplace_back();
  refresh(from);
  if (route != from) refresh(route);
  touch_around(from, old_place);
  touch_around(from, old_place + 1);
  touch_around(route, place);
  touch_around(route, place + 1);
  touch_routes(from, route);
}

void RouteState::swap(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t route_a = route_of(a), route_b = route_of(b);
  const std::size_t place_a = place_of(a), place_b = place_of(b);
  routes_[route_a][place_a] = b;
  routes_[route_b][place_b] = a;
  refresh(route_a);
  if (route_b != route_a) refresh(route_b);
  for (const std::size_t end : {place_a, place_a + 1}) touch_around(route_a, end);
  for (const std::size_t end : {place_b, place_b + 1}) touch_around(route_b, end);
  touch_routes(route_a, route_b);
}

void RouteState::exchange_tails(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) {
  const auto at_a = static_cast<std::ptrdiff_t>(i), at_b = static_cast<std::ptrdiff_t>(j);
  auto& route_a = routes_[a];
  auto& route_b = routes_[b];
  const bool opens_route = route_a.empty() || route_b.empty();
  tail_.assign(route_a.begin() + at_a, route_a.end());
  route_a.resize(i);
  route_a.insert(route_a.end(), route_b.begin() + at_b, route_b.end());
  route_b.resize(j);
  route_b.insert(route_b.end(), tail_.begin(), tail_.end());
  if (opens_route) routes_.emplace_back();
  refresh(a);
  refresh(b);
  touch_around(a, i);
  touch_around(b, j);
  touch_routes(a, b);
}

void RouteState::exchange_reversed(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) {
  const auto at_a = static_cast<std::ptrdiff_t>(i), at_b = static_cast<std::ptrdiff_t>(j);
  auto& route_a = routes_[a];
  auto& route_b = routes_[b];
  const bool opens_route = route_a.empty() || route_b.empty();
  head_.assign(route_b.begin(), route_b.begin() + at_b);
  tail_.assign(route_a.begin() + at_a, route_a.end());
  route_a.resize(i);
  route_a.insert(route_a.end(), head_.rbegin(), head_.rend());
  route_b.erase(route_b.begin(), route_b.begin() + at_b);
  route_b.insert(route_b.begin(), tail_.rbegin(), tail_.rend());
  const std::size_t seam = tail_.size();
  if (opens_route) routes_.emplace_back();
  refresh(a);
  refresh(b);
  touch_around(a, i);
  touch_around(b, seam);
  touch_routes(a, b);
}

}  // namespace eco
