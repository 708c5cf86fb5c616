#pragma once
// The instance that the TSP expert works on: equal points are one node (a best tour visits them one
// after another), nodes are numbered along a space-filling curve so that what is close in space is
// close in memory, and small instances carry their distances as a matrix.

#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

class ReducedInstance {
 public:
  explicit ReducedInstance(const Instance& original);

  [[nodiscard]] const Instance& instance() const { return instance_; }
  // A tour of the reduced instance as a tour of the original.
  [[nodiscard]] Solution expand(std::span<const std::uint32_t> order) const;

 private:
  Instance instance_;
  std::vector<std::uint32_t> members_;  // original nodes, reduced node by reduced node
  std::vector<std::uint32_t> first_;    // of a reduced node in members_; one more at the end
};

}  // namespace eco
