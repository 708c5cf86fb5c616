#pragma once
// Routes as doubly linked lists with the length of every edge beside its ends: a customer is taken
// out or put in in constant time, and doing both in reverse order restores the routes exactly.
// Node 0 stands for the depot on both ends of every route.

#include <cassert>
#include <cstdint>
#include <vector>

#include "core/expert/cvrp/distance_table.h"
#include "core/instance/instance.h"

namespace eco {

class LinkedRoutes {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Stop {
    std::uint32_t previous = 0, next = 0;  // neighbours in the route, 0 for the depot
    std::uint32_t route = kNone;           // kNone while the customer is in no route
    double before = 0, after = 0;          // lengths of the edges to previous and next
  };
  struct RouteEnds {
    std::uint32_t first = 0, last = 0;  // 0 while the route is empty
    std::uint32_t stops = 0;
    std::int64_t load = 0;
  };

  LinkedRoutes(const Instance& instance, const DistanceTable& distance, const Routes& routes);

  [[nodiscard]] const Stop& stop(std::uint32_t customer) const { return stops_[customer]; }
  [[nodiscard]] const RouteEnds& route(std::uint32_t index) const { return routes_[index]; }
  [[nodiscard]] std::uint32_t routes() const { return static_cast<std::uint32_t>(routes_.size()); }
  [[nodiscard]] std::uint32_t used_routes() const { return used_; }
  [[nodiscard]] std::int64_t demand(std::uint32_t customer) const { return demands_[customer]; }
  [[nodiscard]] bool fits(std::uint32_t customer, std::uint32_t route) const {
    return routes_[route].load + demands_[customer] <= capacity_;
  }

  // Takes the customer out; returns the change of the total length.
  double remove(std::uint32_t customer);
  // Puts an absent customer behind `previous` (0: at the front); returns the change of length.
  double insert(std::uint32_t customer, std::uint32_t previous, std::uint32_t route);
  // A route without stops, made if there is none.
  std::uint32_t empty_route();

  [[nodiscard]] Route customers_of(std::uint32_t route) const;

 private:
  void connect(std::uint32_t from, std::uint32_t to, double length, RouteEnds& ends);

  const DistanceTable* distance_;
  std::vector<std::int64_t> demands_;
  std::int64_t capacity_;
  std::vector<Stop> stops_;  // by node; entry 0 is unused
  std::vector<RouteEnds> routes_;
  std::uint32_t used_ = 0;  // routes with at least one stop
};

}  // namespace eco
