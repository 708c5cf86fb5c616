#pragma once
// A solution of either problem as one sequence of nodes in input order, the paper's serialisation.
//   TSP:  each node once; the edge back to the first is implied.
//   CVRP: depot tokens (node 0) at both ends and between routes: 0 3 1 0 2 0.

#include <vector>

#include "core/base/ids.h"

namespace eco {

inline constexpr NodeId kDepot{0};

struct Solution {
  std::vector<NodeId> sequence;
  friend bool operator==(const Solution&, const Solution&) = default;
};

using Route = std::vector<NodeId>;  // customers in visiting order, no depot
using Routes = std::vector<Route>;  // empty routes do not occur

// Routes as users read them. Consecutive depot tokens make no route.
[[nodiscard]] Routes to_routes(const Solution& solution);
[[nodiscard]] Solution from_routes(const Routes& routes);

}  // namespace eco
