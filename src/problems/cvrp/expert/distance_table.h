#pragma once
// Distances for searches that ask for the same ones over and over. Small instances keep them in a
// matrix, where the row of one node stays in the first-level cache; above kMatrixNodes they are
// computed when asked for, so memory stays linear. The diagonal is 0 whatever the instance says;
// distances must be symmetric.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

class DistanceTable {
 public:
  static constexpr std::size_t kMatrixNodes = 2048;  // 32 MB of doubles

  explicit DistanceTable(const Instance& instance, std::size_t matrix_nodes = kMatrixNodes);

  // Inlined by order: the searches call it from too many places for the compiler to want to.
  [[nodiscard, gnu::always_inline]] double operator()(std::size_t from, std::size_t to) const {
    return matrix_.empty() ? computed(from, to) : matrix_[from * nodes_ + to];
  }

 private:
  [[nodiscard]] double computed(std::size_t from, std::size_t to) const {
    if (plain_) return euclidean(instance_->points[from], instance_->points[to]);
    return from == to ? 0.0 : instance_->distance(NodeId(from), NodeId(to));
  }

  const Instance* instance_;
  std::size_t nodes_;
  bool plain_;                  // Euclidean and not rounded: worth inlining
  std::vector<double> matrix_;  // [nodes, nodes], or empty
};

}  // namespace eco
