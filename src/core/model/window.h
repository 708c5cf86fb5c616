#pragma once
// The part of a large TSP sub-problem that the network sees: what is near the current node
// (docs/model.md, "Window").

#include <span>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

// The `count` of the open nodes that are nearest to `center` (ties: the lower index), in input
// order; those of `kept` are among them however far they are.
[[nodiscard]] std::vector<NodeId> window_of(const Instance& instance, NodeId center,
                                            std::span<const NodeId> open, std::size_t count,
                                            std::span<const NodeId> kept = {});

}  // namespace eco
