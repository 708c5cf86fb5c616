#pragma once
// Feasible ends for solutions that ran out of time.

#include <span>

#include "core/problem/problem.h"

namespace eco {

// Appends the nodes not yet visited in the given order, feasibly.
inline void complete(TspState& state, const Instance&, std::span<const NodeId> order) {
  for (const NodeId node : order) {
    if (state.feasible(node)) state.step(node);
  }
}

inline void complete(CvrpState& state, const Instance& instance, std::span<const NodeId> order) {
  std::vector<bool> served(instance.size(), false);
  for (const NodeId node : state.solution().sequence) served[node.index()] = true;
  for (const NodeId node : order) {
    if (served[node.index()]) continue;
    if (!state.feasible(node)) state.step(kDepot);
    state.step(node);
  }
  if (!state.done()) state.step(kDepot);
}

}  // namespace eco
