#pragma once
// 3-opt: up to three edges are replaced, in every way that leaves one tour. Two segments change
// places as they are, or one or both of them reversed; moving a short segment elsewhere (Or-opt)
// and reversing one (2-opt) are special cases.
//
// Bounded by gain: a chain t1 t2 | t2 t3 | t3 t4 | ... of removed and added edges is followed only
// as long as more was removed than added. Every improving exchange has such a chain from one of its
// nodes (Lin and Kernighan), so none is missed where the neighbours are all looked at.

#include "core/search/operator.h"
#include "problems/tsp/search/tour_state.h"

namespace eco {

class ThreeOpt final : public SearchOperator<TourState> {
 public:
  double improve_at(TourState& tour, std::uint32_t node) override;
};

}  // namespace eco
