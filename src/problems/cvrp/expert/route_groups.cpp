#include "problems/cvrp/expert/route_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/ordering/ordering.h"

namespace eco {

RouteGroups::RouteGroups(const Instance& instance, const DistanceTable& distance)
    : points_(instance.points) {
  if (instance.has_points()) return;
  std::size_t farthest = 0;
  for (std::size_t node = 1; node < instance.size(); ++node) {
    if (distance(0, node) > distance(0, farthest)) farthest = node;
  }
  for (std::size_t node = 0; node < instance.size(); ++node) {
    points_.push_back({distance(0, node), distance(farthest, node)});
  }
}

std::vector<std::uint32_t> RouteGroups::in_order(const Routes& routes, bool sectors) const {
  std::vector<Point> middles;
  middles.reserve(routes.size());
  for (const Route& route : routes) {
    Point sum;
    for (const NodeId node : route) {
      sum.x += points_[node.index()].x;
      sum.y += points_[node.index()].y;
    }
    const auto stops = static_cast<double>(route.size());
    middles.push_back({sum.x / stops, sum.y / stops});
  }
  if (!sectors) return order_points(middles, Ordering::hilbert);
  std::vector<std::pair<double, std::uint32_t>> keyed;
  keyed.reserve(routes.size());
  for (std::uint32_t r = 0; r < routes.size(); ++r) {
    keyed.emplace_back(std::atan2(middles[r].y - points_[0].y, middles[r].x - points_[0].x), r);
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> order;
  order.reserve(keyed.size());
  for (const auto& [angle, route] : keyed) order.push_back(route);
  return order;
}

std::vector<Routes> RouteGroups::split(Routes routes, std::size_t groups, std::uint64_t round,
                                       Rng& rng) const {
  std::vector<std::uint32_t> order = in_order(routes, round % 2 == 0);
  std::rotate(order.begin(), order.begin() + rng.below(static_cast<std::uint32_t>(order.size())),
              order.end());
  std::size_t customers = 0;
  for (const Route& route : routes) customers += route.size();
  groups = std::min(groups, routes.size());
  std::vector<Routes> parts(1);
  std::size_t placed = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // On when this group has its share, or when the routes that are left are one a group.
    const bool full = placed * groups >= customers * parts.size();
    const bool last_chance = order.size() - i == groups - parts.size();
    if (!parts.back().empty() && parts.size() < groups && (full || last_chance)) {
      parts.emplace_back();
    }
    placed += routes[order[i]].size();
    parts.back().push_back(std::move(routes[order[i]]));
  }
  return parts;
}

}  // namespace eco
