#include "io/plan/plan.h"

#include <algorithm>
#include <optional>

namespace eco::io {

namespace {

PlanRoute route_of(const Instance& instance, const Route& nodes, bool from_depot) {
  PlanRoute route;
  route.stops.reserve(nodes.size());
  std::optional<NodeId> last;
  if (from_depot) last = kDepot;
  for (const NodeId node : nodes) {
    if (!instance.demands.empty()) route.load += instance.demands[node.index()];
    if (last) route.length += instance.distance(*last, node);
    route.stops.push_back({node, route.load, route.length});
    last = node;
  }
  if (from_depot && last != kDepot) route.length += instance.distance(*last, kDepot);
  return route;
}

}  // namespace

Plan plan_of(const Instance& instance, const Solution& solution) {
  Plan plan;
  if (!instance.problem().closed) {
    plan.departs = plan.returns = false;
    plan.routes.push_back(route_of(instance, solution.sequence, false));
    return plan;
  }
  plan.departs = instance.open != Open::start;
  plan.returns = instance.open != Open::end;
  if (instance.has_depot()) {
    for (const Route& route : to_routes(solution)) {
      plan.routes.push_back(route_of(instance, route, true));
    }
    return plan;
  }
  Route tour = solution.sequence;
  std::rotate(tour.begin(), std::find(tour.begin(), tour.end(), kDepot), tour.end());
  tour.erase(tour.begin());
  plan.routes.push_back(route_of(instance, tour, true));
  return plan;
}

}  // namespace eco::io
