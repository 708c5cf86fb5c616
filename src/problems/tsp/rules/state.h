#pragma once
// TSP construction: every node once, any node first.

#include <cassert>
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

 private:
  std::vector<bool> visited_;
  Solution solution_;
};

}  // namespace eco
