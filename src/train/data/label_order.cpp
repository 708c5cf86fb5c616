#include "train/data/label_order.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace eco::train {

namespace {

void append_route(const Route& route, std::vector<Visit>& visits) {
  for (std::size_t i = 0; i < route.size(); ++i) {
    visits.push_back({route[i], i == 0 && !visits.empty()});
  }
}

}  // namespace

void apply_symmetry(Instance& instance, unsigned symmetry) {
  for (Point& point : instance.points) {
    if ((symmetry & 1U) != 0) point.x = -point.x;
    if ((symmetry & 2U) != 0) point.y = -point.y;
    if ((symmetry & 4U) != 0) std::swap(point.x, point.y);
  }
}

std::vector<NodeId> random_start(const Solution& tour, Rng& rng) {
  std::vector<NodeId> nodes = tour.sequence;
  const auto start = rng.below(static_cast<std::uint32_t>(nodes.size()));
  std::rotate(nodes.begin(), nodes.begin() + start, nodes.end());
  if (rng.below(2) == 1) std::reverse(nodes.begin() + 1, nodes.end());
  return nodes;
}

Solution shuffled_routes(const Solution& solution, Rng& rng) {
  Routes routes = to_routes(solution);
  rng.shuffle(std::span<Route>(routes));
  for (Route& route : routes) {
    if (rng.below(2) == 1) std::reverse(route.begin(), route.end());
  }
  return from_routes(routes);
}

Entry nearest_entry(const Instance& instance, NodeId from, const Routes& routes) {
  Entry entry;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < routes.size(); ++i) {
    for (const bool back : {false, true}) {
      const double distance = instance.distance(from, back ? routes[i].back() : routes[i].front());
      if (distance >= nearest) continue;
      nearest = distance;
      entry = {i, back};
    }
  }
  return entry;
}

std::vector<Visit> chained_routes(const Instance& instance, const Solution& solution,
                                  std::size_t first, bool reversed) {
  Routes left = to_routes(solution);
  std::vector<Visit> visits;
  visits.reserve(instance.customers());
  Entry next{first, reversed};
  while (!left.empty()) {
    Route route = std::move(left[next.route]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next.route));
    if (next.reversed) std::reverse(route.begin(), route.end());
    append_route(route, visits);
    next = nearest_entry(instance, route.back(), left);
  }
  return visits;
}

}  // namespace eco::train
