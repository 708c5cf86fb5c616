#pragma once
// 2-opt: two edges are replaced by the two that reverse the path between them.

#include "core/search/operator.h"
#include "problems/tsp/search/tour_state.h"

namespace eco {

class TwoOpt final : public SearchOperator<TourState> {
 public:
  double improve_at(TourState& tour, std::uint32_t node) override;
};

}  // namespace eco
