#pragma once
// Bounded 3-opt: a path of at most three nodes moves to another place of the tour, either way
// round (Or-opt).

#include "core/search/operator.h"
#include "problems/tsp/search/tour_state.h"

namespace eco {

class ThreeOpt final : public SearchOperator<TourState> {
 public:
  static constexpr std::size_t kLongestSegment = 3;

  double improve_at(TourState& tour, std::uint32_t node) override;
};

}  // namespace eco
