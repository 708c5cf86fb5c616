#pragma once
// Swap: two customers take each other's places, if both routes can carry the change.

#include "core/search/operator.h"
#include "problems/cvrp/search/route_state.h"

namespace eco {

class Swap final : public SearchOperator<RouteState> {
 public:
  double improve_at(RouteState& state, std::uint32_t node) override;
};

}  // namespace eco
