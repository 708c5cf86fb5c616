#pragma once
// TSP construction: every node once, any node first.

#include <cassert>
#include <span>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

class TspState {
 public:
  explicit TspState(const Instance& instance) : visited_(instance.size(), false) {
    solution_.sequence.reserve(instance.size());
  }

  [[nodiscard]] bool feasible(NodeId node) const { return !visited_[node.index()]; }
  [[nodiscard]] bool done() const { return steps() == visited_.size(); }
  [[nodiscard]] std::size_t steps() const { return solution_.sequence.size(); }
  [[nodiscard]] NodeId current() const { return solution_.sequence.back(); }
  [[nodiscard]] const Solution& solution() const { return solution_; }

  void step(NodeId node) {
    assert(feasible(node));
    visited_[node.index()] = true;
    solution_.sequence.push_back(node);
  }

  static constexpr bool kMasks = false;
  [[nodiscard]] static std::size_t most_steps(std::size_t nodes) { return nodes; }
  // A tour has no beginning: the first node is given, not chosen.
  [[nodiscard]] bool takes_first(NodeId) const { return steps() == 0; }
  void take_forced() {}
  void describe(float*) const {}
  void complete(std::span<const NodeId> order) {
    for (const NodeId node : order) {
      if (feasible(node)) step(node);
    }
  }

 private:
  std::vector<bool> visited_;
  Solution solution_;
};

namespace tsp {
using State = TspState;
}

}  // namespace eco
