#pragma once
// The expert for open paths, by the TSP's. Two given ends are joined by a forced edge: the tour
// without it is the path. Where an end is free, a node that is nowhere (at distance 0 from all)
// stands between the ends, as far as a matrix of distances is not too large; beyond, the ends are
// those of a tour opened at its longest edge.

#include "core/expert/expert.h"

namespace eco {

// Feasible always; forced edges and a start as in ExpertOptions.
[[nodiscard]] Solution solve_open_path(const Instance& instance, const ExpertOptions& options);

}  // namespace eco
