#pragma once
// CVRP construction as one sequence with depot tokens. The vehicle starts at the depot, so the
// first token is there before the first step. The depot closes a route and refills the vehicle; it
// is masked right after itself until every customer is served (then it ends the sequence).

#include <cassert>
#include <cstdint>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

class CvrpState {
 public:
  explicit CvrpState(const Instance& instance)
      : instance_(&instance),
        visited_(instance.size(), false),
        left_(instance.customers()),
        load_(instance.capacity) {
    solution_.sequence.reserve(instance.size() + instance.size() / 4 + 2);
    solution_.sequence.push_back(kDepot);
  }

  [[nodiscard]] bool feasible(NodeId node) const {
    if (node == kDepot) return current() != kDepot || left_ == 0;
    return !visited_[node.index()] && instance_->demands[node.index()] <= load_;
  }
  [[nodiscard]] bool done() const { return left_ == 0 && current() == kDepot; }
  [[nodiscard]] std::size_t steps() const { return solution_.sequence.size() - 1; }
  [[nodiscard]] NodeId current() const { return solution_.sequence.back(); }
  [[nodiscard]] const Solution& solution() const { return solution_; }

  // The dynamic features of the paper's equation for z_t.
  [[nodiscard]] std::int64_t remaining_capacity() const { return load_; }
  [[nodiscard]] std::size_t customers_left() const { return left_; }

  void step(NodeId node) {
    assert(feasible(node));
    if (node == kDepot) {
      load_ = instance_->capacity;
    } else {
      visited_[node.index()] = true;
      load_ -= instance_->demands[node.index()];
      --left_;
    }
    solution_.sequence.push_back(node);
  }

 private:
  const Instance* instance_;
  std::vector<bool> visited_;
  std::size_t left_;   // customers not yet served
  std::int64_t load_;  // what the vehicle can still take
  Solution solution_;
};

}  // namespace eco
