#pragma once
// Relocate: one customer moves to another place, in its own route or in one that has room for it.

#include "core/search/operator.h"
#include "problems/cvrp/search/route_state.h"

namespace eco {

class Relocate final : public SearchOperator<RouteState> {
 public:
  double improve_at(RouteState& state, std::uint32_t node) override;
};

}  // namespace eco
