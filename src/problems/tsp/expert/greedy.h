#pragma once
// The greedy edge tour: shortest candidate edges first, each taken if it joins two different paths
// at their ends. About 16% above the best on uniform points, and the best known start for local
// search. O(N k log N).

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/instance/instance.h"
#include "core/search/neighbours.h"

namespace eco {

// `partner` (empty: none): nodes that stand beside each other whatever that costs, as in
// ReducedInstance. Empty if the deadline comes first or the lists are not complete.
[[nodiscard]] std::vector<std::uint32_t> greedy_tour(const Instance& instance,
                                                     const NeighbourLists& neighbours,
                                                     std::span<const std::uint32_t> partner = {},
                                                     const Deadline& deadline = {});

}  // namespace eco
