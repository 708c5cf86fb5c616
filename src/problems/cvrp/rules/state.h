#pragma once
// CVRP construction as one sequence with depot tokens. The vehicle starts at the depot, so the
// first token is there before the first step. The depot closes a route and refills the vehicle; it
// is masked right after itself until every customer is served (then it ends the sequence).

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/problem/capacity.h"

namespace eco {

class CvrpState {
 public:
  explicit CvrpState(const Instance& instance)
      : instance_(&instance),
        visited_(instance.size(), false),
        left_(instance.customers()),
        room_(instance.capacity) {
    solution_.sequence.reserve(instance.size() + instance.size() / 4 + 2);
    solution_.sequence.push_back(kDepot);
  }

  [[nodiscard]] bool feasible(NodeId node) const {
    if (node == kDepot) return current() != kDepot || left_ == 0;
    return !visited_[node.index()] && fits(instance_->demands[node.index()], room_);
  }
  [[nodiscard]] bool done() const { return left_ == 0 && current() == kDepot; }
  [[nodiscard]] std::size_t steps() const { return solution_.sequence.size() - 1; }
  [[nodiscard]] NodeId current() const { return solution_.sequence.back(); }
  [[nodiscard]] const Solution& solution() const { return solution_; }

  [[nodiscard]] std::int64_t remaining_capacity() const { return room_; }
  [[nodiscard]] std::size_t customers_left() const { return left_; }

  void step(NodeId node) {
    assert(feasible(node));
    if (node == kDepot) {
      room_ = instance_->capacity;
    } else {
      visited_[node.index()] = true;
      room_ -= instance_->demands[node.index()];
      --left_;
    }
    solution_.sequence.push_back(node);
  }

  static constexpr bool kMasks = true;
  [[nodiscard]] static std::size_t most_steps(std::size_t nodes) {
    return 2 * nodes;  // a depot a customer
  }
  // A first customer is taken as given; the depot in its place stands for none.
  [[nodiscard]] bool takes_first(NodeId node) const { return node != kDepot && steps() == 0; }
  // The last depot.
  void take_forced() {
    if (left_ == 0 && !done()) step(kDepot);
  }
  // The dynamic features of the paper's equation for z_t.
  void describe(float* out) const {
    out[0] =
        static_cast<float>(static_cast<double>(room_) / static_cast<double>(instance_->capacity));
    out[1] = current() == kDepot ? 1.0F : 0.0F;
  }
  void complete(std::span<const NodeId> order) {
    for (const NodeId node : order) {
      if (node == kDepot || visited_[node.index()]) continue;
      if (!feasible(node)) step(kDepot);
      step(node);
    }
    if (!done()) step(kDepot);
  }

 private:
  const Instance* instance_;
  std::vector<bool> visited_;
  std::size_t left_;   // customers not yet served
  std::int64_t room_;  // what the vehicle can still take
  Solution solution_;
};

namespace cvrp {
using State = CvrpState;
}

}  // namespace eco
