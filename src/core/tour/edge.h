#pragma once
// Two nodes that stand beside each other in a solution, in either order. CVRP: node 0 is the depot.

#include "core/base/ids.h"

namespace eco {

struct Edge {
  NodeId a, b;
  friend bool operator==(const Edge&, const Edge&) = default;
};

}  // namespace eco
