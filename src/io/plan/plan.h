#pragma once
// A solution as people carry it out: routes with their stops, loads and lengths. The tour of a TSP
// is one route from node 0 back to it, an open path one that only has stops.

#include <cstdint>
#include <vector>

#include "core/instance/instance.h"

namespace eco::io {

struct PlanStop {
  NodeId node;
  std::int64_t load_after = 0;  // demand of the route up to here, this stop's with it
  double distance = 0;          // from the start of the route
};

struct PlanRoute {
  std::vector<PlanStop> stops;  // between the depot (node 0) and the depot
  std::int64_t load = 0;
  double length = 0;  // the way back with it
};

struct Plan {
  std::vector<PlanRoute> routes;
  bool departs = true, returns = true;  // routes show the depot first, and last
};

[[nodiscard]] Plan plan_of(const Instance& instance, const Solution& solution);

}  // namespace eco::io
