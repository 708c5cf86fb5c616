#include "problems/cvrp/expert/linked_routes.h"

#include <limits>

namespace eco {

LinkedRoutes::LinkedRoutes(const Instance& instance, const DistanceTable& distance,
                           const Routes& routes, const TiedEnds& fragments)
    : distance_(&distance),
      fragments_(fragments),
      demands_(instance.demands),
      capacity_(instance.capacity),
      stops_(instance.size()) {
  assign(routes);
}

double LinkedRoutes::assign(const Routes& routes) {
  double length = 0;
  for (Stop& stop : stops_) stop.route = kNone;
  routes_.assign(routes.size(), {});
  used_ = 0;
  for (std::uint32_t r = 0; r < routes.size(); ++r) {
    for (std::size_t i = 0; i < routes[r].size(); ++i) {
      const auto head = static_cast<std::uint32_t>(routes[r][i].index());
      length += insert(head, routes_[r].last, r);
      if (fragments_.other_end(head) != head) ++i;  // the tail came with it
    }
  }
  return length;
}

void LinkedRoutes::connect(std::uint32_t from, std::uint32_t to, double length,
                           LinkedRoute& linked) {
  if (from == 0) {
    linked.first = to;
  } else {
    stops_[from].next = to;
    stops_[from].after = length;
  }
  if (to == 0) {
    linked.last = from;
  } else {
    stops_[to].previous = from;
    stops_[to].before = length;
  }
}

double LinkedRoutes::remove(std::uint32_t node) {
  const std::uint32_t first = head_of(node);
  Stop& head = stops_[first];
  Stop& tail = stops_[fragments_.other_end(first)];
  LinkedRoute& linked = routes_[head.route];
  const double length = (*distance_)(head.previous, tail.next);
  connect(head.previous, tail.next, length, linked);
  linked.load -= demands_[node];
  if (--linked.stops == 0) --used_;
  head.route = tail.route = kNone;
  return length - head.before - tail.after;
}

double LinkedRoutes::insert(std::uint32_t head, std::uint32_t previous, std::uint32_t route) {
  assert(stops_[head].route == kNone);
  const std::uint32_t tail = fragments_.other_end(head);
  LinkedRoute& linked = routes_[route];
  const std::uint32_t next = previous == 0 ? linked.first : stops_[previous].next;
  double replaced = 0;
  if (previous != 0) {
    replaced = stops_[previous].after;
  } else if (next != 0) {
    replaced = stops_[next].before;
  }
  const double before = distance_->into(head, previous);
  const double after = (*distance_)(tail, next);
  connect(previous, head, before, linked);
  connect(tail, next, after, linked);
  if (tail != head) connect(head, tail, -std::numeric_limits<double>::infinity(), linked);
  linked.load += demands_[head];
  if (linked.stops++ == 0) ++used_;
  stops_[head].route = stops_[tail].route = route;
  return before + after - replaced;
}

std::uint32_t LinkedRoutes::empty_route() {
  for (std::uint32_t r = 0; r < routes_.size(); ++r) {
    if (routes_[r].stops == 0) return r;
  }
  routes_.emplace_back();
  return routes() - 1;
}

Route LinkedRoutes::nodes_of(std::uint32_t route) const {
  Route nodes;
  nodes.reserve(routes_[route].stops);
  for (std::uint32_t node = routes_[route].first; node != 0; node = stops_[node].next) {
    nodes.emplace_back(node);
  }
  return nodes;
}

}  // namespace eco
