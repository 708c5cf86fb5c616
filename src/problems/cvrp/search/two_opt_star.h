#pragma once
// 2-opt*: two routes are cut and their parts joined crosswise, either tail to head or, with one
// part of each reversed, head to head.

#include "core/search/operator.h"
#include "problems/cvrp/search/route_state.h"

namespace eco {

class TwoOptStar final : public SearchOperator<RouteState> {
 public:
  double improve_at(RouteState& state, std::uint32_t node) override;
};

}  // namespace eco
