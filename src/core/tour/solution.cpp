#include "core/tour/solution.h"

namespace eco {

Routes to_routes(const Solution& solution) {
  Routes routes;
  Route route;
  const auto close = [&] {
    if (!route.empty()) routes.push_back(std::move(route));
    route = {};
  };
  for (const NodeId node : solution.sequence) {
    if (node == kDepot) {
      close();
    } else {
      route.push_back(node);
    }
  }
  close();
  return routes;
}

Solution from_routes(const Routes& routes) {
  Solution solution;
  solution.sequence.push_back(kDepot);
  for (const Route& route : routes) {
    if (route.empty()) continue;
    solution.sequence.insert(solution.sequence.end(), route.begin(), route.end());
    solution.sequence.push_back(kDepot);
  }
  return solution;
}

}  // namespace eco
