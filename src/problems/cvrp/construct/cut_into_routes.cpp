#include "problems/cvrp/construct/cut_into_routes.h"

#include <deque>
#include <vector>

#include "core/instance/distance.h"
#include "core/problem/capacity.h"

namespace eco {

namespace {

// What a route from one place to
// another costs is a term of the first plus a term of the second, so the best first place is the
// least of a window that slides along.
template <class Distance>
Solution cut(const Instance& instance, const Distance& distance,
             std::span<const NodeId> customers) {
  struct Start {
    double term;        // cost up to it and way out from the depot, less the way along up to it
    std::size_t place;  // of the route's first customer
    std::int64_t load;  // of all customers before it
  };
  std::deque<Start> window;  // terms rising, so that the first is the least
  std::vector<std::size_t> begins(customers.size());  // of the route that ends with this customer
  double cost = 0, along = 0;
  std::int64_t load = 0;
  for (std::size_t last = 0; last < customers.size(); ++last) {
    const std::size_t node = customers[last].index();
    if (last > 0) along += distance(customers[last - 1].index(), node);
    const double term = cost + distance(0, node) - along;
    while (!window.empty() && window.back().term >= term) window.pop_back();
    window.push_back({term, last, load});
    load += instance.demands[node];
    while (!fits(load - window.front().load, instance.capacity)) window.pop_front();
    begins[last] = window.front().place;
    cost = window.front().term + along + distance(node, 0);
  }
  Routes routes;
  for (std::size_t end = customers.size(); end > 0; end = begins[end - 1]) {
    const auto begin = customers.begin() + static_cast<std::ptrdiff_t>(begins[end - 1]);
    routes.emplace_back(begin, customers.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return from_routes(routes);
}

}  // namespace

Solution cut_into_routes(const Instance& instance, std::span<const NodeId> order) {
  return with_distance(instance,
                       [&](auto distance) { return cut(instance, distance, order.subspan(1)); });
}

}  // namespace eco
