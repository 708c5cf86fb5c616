#pragma once
// Intra-route 2-opt: a path inside one route is reversed.

#include "core/search/operator.h"
#include "problems/cvrp/search/route_state.h"

namespace eco {

class TwoOptIntra final : public SearchOperator<RouteState> {
 public:
  double improve_at(RouteState& state, std::uint32_t node) override;
};

}  // namespace eco
