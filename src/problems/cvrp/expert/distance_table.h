#pragma once
// Distances for searches that ask for the same ones over and over. Small instances keep them in a
// matrix, where the row of one node stays in the first-level cache; above kMatrixNodes they are
// computed when asked for, so memory stays linear. The diagonal is 0 whatever the instance says.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

class DistanceTable {
 public:
  static constexpr std::size_t kMatrixNodes = 2048;  // 32 MB of doubles

  explicit DistanceTable(const Instance& instance, std::size_t matrix_nodes = kMatrixNodes);
  DistanceTable(const DistanceTable&) = delete;
  DistanceTable& operator=(const DistanceTable&) = delete;

  [[nodiscard]] bool symmetric() const { return symmetric_; }

  // Inlined by order: the searches call it from too many places for the compiler to want to.
  [[nodiscard, gnu::always_inline]] double operator()(std::size_t from, std::size_t to) const {
    return matrix_.empty() ? computed(from, to) : matrix_[from * nodes_ + to];
  }
  // The distance from `from` to `to` as well, out of a row of `to`: for loops in which that node
  // stays the same.
  [[nodiscard, gnu::always_inline]] double into(std::size_t to, std::size_t from) const {
    return matrix_.empty() ? computed(from, to) : into_[to * nodes_ + from];
  }

 private:
  [[nodiscard]] double computed(std::size_t from, std::size_t to) const {
    if (plain_) return euclidean(instance_->points[from], instance_->points[to]);
    return from == to ? 0.0 : instance_->distance(NodeId(from), NodeId(to));
  }

  const Instance* instance_;
  std::size_t nodes_;
  bool plain_;  // Euclidean and not rounded: worth inlining
  bool symmetric_;
  std::vector<double> matrix_;      // [nodes, nodes], or empty
  std::vector<double> transposed_;  // only if not symmetric
  const double* into_ = nullptr;    // of either
};

}  // namespace eco
