#pragma once
// Construction of an open path from its start. A start that is given is there before the first
// step; an end that is given is masked until it is the last node.

#include <cassert>
#include <span>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

class PathState {
 public:
  explicit PathState(const Instance& instance)
      : instance_(&instance), visited_(instance.size(), false) {
    solution_.sequence.reserve(instance.size());
    if (instance.start) visit(*instance.start);
    given_ = solution_.sequence.size();
  }

  [[nodiscard]] bool feasible(NodeId node) const {
    if (visited_[node.index()]) return false;
    return node != instance_->end || solution_.sequence.size() + 1 == visited_.size();
  }
  [[nodiscard]] bool done() const { return solution_.sequence.size() == visited_.size(); }
  [[nodiscard]] std::size_t steps() const { return solution_.sequence.size() - given_; }
  [[nodiscard]] NodeId current() const { return solution_.sequence.back(); }
  [[nodiscard]] const Solution& solution() const { return solution_; }

  void step(NodeId node) {
    assert(feasible(node));
    visit(node);
  }

  static constexpr bool kMasks = true;
  [[nodiscard]] static std::size_t most_steps(std::size_t nodes) { return nodes; }
  [[nodiscard]] bool takes_first(NodeId node) const {
    return solution_.sequence.empty() && feasible(node);
  }
  void take_forced() {}
  void describe(float*) const {}
  void complete(std::span<const NodeId> order) {
    for (const NodeId node : order) {
      if (!visited_[node.index()] && node != instance_->end) step(node);
    }
    if (!done()) step(*instance_->end);
  }

 private:
  void visit(NodeId node) {
    visited_[node.index()] = true;
    solution_.sequence.push_back(node);
  }

  const Instance* instance_;
  std::vector<bool> visited_;
  Solution solution_;
  std::size_t given_ = 0;  // nodes that are there before the first step
};

namespace path {
using State = PathState;
}

}  // namespace eco
