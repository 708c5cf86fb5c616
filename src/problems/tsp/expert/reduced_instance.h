#pragma once
// The instance that the TSP expert works on: equal points are one node (a best tour visits them one
// after another), nodes are numbered along a space-filling curve so that what is close in space is
// close in memory, and small instances carry their distances as a matrix. Of a forced path only the
// two ends are left. They are partners: no search may put them apart, and what is between them
// comes back at the end. Ends are never merged with equal points, for the order of two paths that
// meet in one point is open.

#include <cstdint>
#include <span>
#include <vector>

#include "core/expert/forced_paths.h"
#include "core/instance/instance.h"

namespace eco {

class ReducedInstance {
 public:
  // Keeps a reference to `forced`, which must not be a whole tour.
  ReducedInstance(const Instance& original, const ForcedPaths& forced);

  [[nodiscard]] const Instance& instance() const { return instance_; }
  // By node: the other end of its path, or itself if it is free. Empty if all are.
  [[nodiscard]] std::span<const std::uint32_t> partner() const { return partner_; }

  // A tour of the reduced instance (partners side by side) as a tour of the original, and back.
  [[nodiscard]] Solution expand(std::span<const std::uint32_t> order) const;
  [[nodiscard]] std::vector<std::uint32_t> reduce(const Solution& tour) const;

 private:
  void merge_equal_points(const Instance& original);
  void find_partners();
  void add_matrix();
  // The reduced node of every original one; kNone inside a path.
  [[nodiscard]] std::vector<std::uint32_t> reduced_nodes() const;

  const ForcedPaths* forced_;
  std::size_t original_nodes_;
  Instance instance_;
  std::vector<std::uint32_t> members_;  // original nodes, reduced node by reduced node
  std::vector<std::uint32_t> first_;    // of a reduced node in members_; one more at the end
  std::vector<std::uint32_t> partner_;
};

}  // namespace eco
