#pragma once
// Routes under change: an array of customers per route, and for every customer its neighbours, its
// place and the load on board when it is left. A move rewrites the one or two routes it touches.
// Node 0, the depot, stands before the first and behind the last customer of every route. One
// route is always empty, so that a move can open a new one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/problem/capacity.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"

namespace eco {

class RouteState {
 public:
  // `exhaustive`: where a neighbour list ends too early to prove that no move exists, operators
  // look at all customers.
  RouteState(const Instance& instance, const NeighbourLists& neighbours, bool exhaustive);

  void assign(const Solution& solution, double solution_cost);
  [[nodiscard]] Solution solution() const;
  // The same on plain routes, which may exceed the capacity.
  void assign(const std::vector<std::vector<std::uint32_t>>& routes);
  void copy_to(std::vector<std::vector<std::uint32_t>>& routes) const;

  [[nodiscard]] std::uint32_t next(std::uint32_t customer) const { return stops_[customer].next; }
  [[nodiscard]] std::uint32_t previous(std::uint32_t customer) const {
    return stops_[customer].previous;
  }
  [[nodiscard]] std::uint32_t route_of(std::uint32_t customer) const {
    return stops_[customer].route;
  }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t customer) const {
    return stops_[customer].place;
  }
  // Sum of the demands from the start of its route up to and including the customer.
  [[nodiscard]] std::int64_t load_through(std::uint32_t customer) const {
    return stops_[customer].load_through;
  }
  [[nodiscard]] std::int64_t demand(std::uint32_t customer) const {
    return instance_->demands[customer];
  }
  [[nodiscard]] bool can_carry(std::int64_t load) const { return fits(load, instance_->capacity); }
  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const {
    return a == b ? 0.0 : distance_(a, b);  // depot to depot in an empty route
  }

  [[nodiscard]] std::uint32_t routes() const { return static_cast<std::uint32_t>(routes_.size()); }
  [[nodiscard]] std::span<const std::uint32_t> route(std::uint32_t index) const {
    return routes_[index];
  }
  [[nodiscard]] std::uint32_t first(std::uint32_t route) const {
    return routes_[route].empty() ? 0 : routes_[route].front();
  }
  [[nodiscard]] std::uint32_t last(std::uint32_t route) const {
    return routes_[route].empty() ? 0 : routes_[route].back();
  }
  [[nodiscard]] std::int64_t load(std::uint32_t route) const {
    return routes_[route].empty() ? 0 : load_through(routes_[route].back());
  }

  // Calls visit(other) for every customer nearer to `node` than `radius`, near ones first, until it
  // returns true; then returns true. In a state that is not exhaustive only for those in the
  // neighbour list. The depot has as many places as there are routes: operators look at it apart.
  template <class Visit>
  bool any_within(std::uint32_t node, double radius, Visit&& visit) const {
    for (const std::uint32_t other : neighbours_->of(node)) {
      if (distance_(node, other) >= radius) return false;
      if (other != 0 && visit(other)) return true;
    }
    if (!exhaustive_ || neighbours_->k() + 1 >= stops_.size()) return false;
    for (std::uint32_t other = 1; other < stops_.size(); ++other) {
      if (other != node && distance_(node, other) < radius && visit(other)) return true;
    }
    return false;
  }

  // The moves. Places count from 0; they report what they changed by touch().
  void reverse(std::uint32_t route, std::size_t begin, std::size_t end);
  // `place` is counted before the customer leaves: it goes between place - 1 and place.
  void relocate(std::uint32_t customer, std::uint32_t route, std::size_t place);
  void swap(std::uint32_t a, std::uint32_t b);
  // a[..i) a[i..) and b[..j) b[j..) become a[..i) b[j..) and b[..j) a[i..).
  void exchange_tails(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j);
  // ... become a[..i) reversed(b[..j)) and reversed(a[i..)) b[j..).
  void exchange_reversed(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j);

  // The contract of SearchState.
  [[nodiscard]] std::span<const std::uint32_t> scan_order() const { return order_; }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] std::span<const std::uint32_t> touched() const { return touched_; }
  void clear_touched() { touched_.clear(); }

 private:
  struct Stop {
    std::uint32_t previous = 0, next = 0;  // 0: the depot
    std::uint32_t route = 0, place = 0;
    std::int64_t load_through = 0;
  };

  void refresh(std::uint32_t route);
  void touch_routes(std::uint32_t a, std::uint32_t b);
  void touch_around(std::uint32_t route, std::size_t place);

  const Instance* instance_;
  NodeDistance distance_;
  const NeighbourLists* neighbours_;
  bool exhaustive_;
  double tolerance_ = 0;
  std::vector<std::vector<std::uint32_t>> routes_;
  std::vector<Stop> stops_;  // by node; entry 0 is unused
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> head_, tail_;  // scratch of the exchanges
};

}  // namespace eco
