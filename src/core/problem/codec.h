#pragma once
// A solution as what the two constructors decide, the one way in which engine, training, reports
// and tests read it.
//   sequential  steps: the nodes that a fresh state is stepped through
//   merging     links: the two partners of every node

#include <array>
#include <span>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

// Everything behind what a fresh state of the problem begins with; consecutive depot tokens are
// one.
[[nodiscard]] std::vector<NodeId> steps_of(const Instance& instance, const Solution& solution);

// And back. Every step must be feasible when its turn comes; the last depot may be left out.
[[nodiscard]] Solution solution_of(const Instance& instance, std::span<const NodeId> steps);

// The two neighbours of every node in a solution. A customer alone on its route has the depot
// twice; a side that nothing is linked to (the end of a path) is the node itself; what is given
// before the first step (ProblemFacts::given) is a link like any other.
class Partners {
 public:
  Partners(const Instance& instance, const Solution& solution);
  [[nodiscard]] std::span<const NodeId, 2> of(NodeId node) const { return both_[node.index()]; }
  [[nodiscard]] bool linked(NodeId a, NodeId b) const { return of(a)[0] == b || of(a)[1] == b; }

 private:
  std::vector<std::array<NodeId, 2>> both_;
};

}  // namespace eco
