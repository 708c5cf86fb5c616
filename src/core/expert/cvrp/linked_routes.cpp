#include "core/expert/cvrp/linked_routes.h"

namespace eco {

LinkedRoutes::LinkedRoutes(const Instance& instance, const DistanceTable& distance,
                           const Routes& routes)
    : distance_(&distance),
      demands_(instance.demands),
      capacity_(instance.capacity),
      stops_(instance.size()),
      routes_(routes.size()) {
  for (std::uint32_t r = 0; r < routes.size(); ++r) {
    for (const NodeId node : routes[r]) {
      insert(static_cast<std::uint32_t>(node.index()), routes_[r].last, r);
    }
  }
}

void LinkedRoutes::connect(std::uint32_t from, std::uint32_t to, double length, RouteEnds& ends) {
  if (from == 0) {
    ends.first = to;
  } else {
    stops_[from].next = to;
    stops_[from].after = length;
  }
  if (to == 0) {
    ends.last = from;
  } else {
    stops_[to].previous = from;
    stops_[to].before = length;
  }
}

double LinkedRoutes::remove(std::uint32_t customer) {
  Stop& stop = stops_[customer];
  RouteEnds& ends = routes_[stop.route];
  const double length = (*distance_)(stop.previous, stop.next);
  connect(stop.previous, stop.next, length, ends);
  ends.load -= demands_[customer];
  if (--ends.stops == 0) --used_;
  stop.route = kNone;
  return length - stop.before - stop.after;
}

double LinkedRoutes::insert(std::uint32_t customer, std::uint32_t previous, std::uint32_t route) {
  assert(stops_[customer].route == kNone);
  RouteEnds& ends = routes_[route];
  const std::uint32_t next = previous == 0 ? ends.first : stops_[previous].next;
  double replaced = 0;
  if (previous != 0) {
    replaced = stops_[previous].after;
  } else if (next != 0) {
    replaced = stops_[next].before;
  }
  const double before = (*distance_)(customer, previous);
  const double after = (*distance_)(customer, next);
  connect(previous, customer, before, ends);
  connect(customer, next, after, ends);
  ends.load += demands_[customer];
  if (ends.stops++ == 0) ++used_;
  stops_[customer].route = route;
  return before + after - replaced;
}

std::uint32_t LinkedRoutes::empty_route() {
  for (std::uint32_t r = 0; r < routes_.size(); ++r) {
    if (routes_[r].stops == 0) return r;
  }
  routes_.emplace_back();
  return routes() - 1;
}

Route LinkedRoutes::customers_of(std::uint32_t route) const {
  Route customers;
  customers.reserve(routes_[route].stops);
  for (std::uint32_t c = routes_[route].first; c != 0; c = stops_[c].next) {
    customers.emplace_back(c);
  }
  return customers;
}

}  // namespace eco
