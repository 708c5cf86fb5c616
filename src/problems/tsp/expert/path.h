#pragma once
// The shortest path between two given nodes through given others, by the TSP expert: what is left
// to do of a tour that someone else has begun.

#include <span>
#include <vector>

#include "problems/tsp/expert/ils.h"

namespace eco {

// The order in which to visit `through` on the way from `from` to `to` (which may be one node: then
// the way is a tour). A function of the arguments alone, as solve_tsp; forced edges and a start in
// the options are not looked at.
[[nodiscard]] std::vector<NodeId> solve_path(const Instance& instance, NodeId from,
                                             std::span<const NodeId> through, NodeId to,
                                             const IlsOptions& options = {});

}  // namespace eco
