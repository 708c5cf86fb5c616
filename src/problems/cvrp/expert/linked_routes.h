#pragma once
// Routes as doubly linked lists with the length of every edge beside its ends: a customer is taken
// out or put in in constant time, and doing both in reverse order restores the routes exactly.
// Node 0 stands for the depot on both ends of every route.
//
// A stop is a customer or a path with two nodes in the list (tied_ends.h), its head before its
// tail; which end is the head is decided when it is put in. Nothing fits between the two: the
// length there is minus infinity.

#include <cassert>
#include <cstdint>
#include <vector>

#include "core/instance/instance.h"
#include "core/problem/capacity.h"
#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/search/tied_ends.h"

namespace eco {

class LinkedRoutes {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Stop {
    std::uint32_t previous = 0, next = 0;  // neighbours in the route, 0 for the depot
    std::uint32_t route = kNone;           // kNone while the node is in no route
    double before = 0, after = 0;          // lengths of the edges to previous and next
  };
  struct LinkedRoute {
    std::uint32_t first = 0, last = 0;  // 0 while the route is empty
    std::uint32_t stops = 0;
    std::int64_t load = 0;
  };

  LinkedRoutes(const Instance& instance, const DistanceTable& distance, const Routes& routes,
               const TiedEnds& fragments = {});

  // Other routes instead; returns their length. They need not have all stops: what is in none is
  // absent.
  double assign(const Routes& routes);

  [[nodiscard]] const Stop& stop(std::uint32_t node) const { return stops_[node]; }
  [[nodiscard]] const LinkedRoute& route(std::uint32_t index) const { return routes_[index]; }
  [[nodiscard]] std::uint32_t routes() const { return static_cast<std::uint32_t>(routes_.size()); }
  [[nodiscard]] std::uint32_t used_routes() const { return used_; }
  [[nodiscard]] std::int64_t demand(std::uint32_t customer) const { return demands_[customer]; }
  [[nodiscard]] bool fits(std::uint32_t customer, std::uint32_t route) const {
    return eco::fits(routes_[route].load + demands_[customer], capacity_);
  }

  [[nodiscard]] const TiedEnds& fragments() const { return fragments_; }
  // Of the stop that the node is in.
  [[nodiscard]] std::uint32_t head_of(std::uint32_t node) const {
    const std::uint32_t other = fragments_.other_end(node);
    return other != node && stops_[node].previous == other ? other : node;
  }
  // Heads of the stops around a stop, 0 for the depot.
  [[nodiscard]] std::uint32_t stop_before(std::uint32_t head) const {
    const std::uint32_t tail = stops_[head].previous;
    return tail == 0 ? 0 : fragments_.other_end(tail);
  }
  [[nodiscard]] std::uint32_t stop_after(std::uint32_t head) const {
    return stops_[fragments_.other_end(head)].next;
  }

  // Takes the stop of a node out; returns the change of the total length.
  double remove(std::uint32_t node);
  // Puts an absent stop behind the node `previous` (0: at the front), `head` first; returns the
  // change of length.
  double insert(std::uint32_t head, std::uint32_t previous, std::uint32_t route);
  // A route without stops, made if there is none.
  std::uint32_t empty_route();

  [[nodiscard]] Route nodes_of(std::uint32_t route) const;

 private:
  void connect(std::uint32_t from, std::uint32_t to, double length, LinkedRoute& linked);

  const DistanceTable* distance_;
  TiedEnds fragments_;
  std::vector<std::int64_t> demands_;
  std::int64_t capacity_;
  std::vector<Stop> stops_;  // by node; entry 0 is unused
  std::vector<LinkedRoute> routes_;
  std::uint32_t used_ = 0;  // routes with at least one stop
};

}  // namespace eco
