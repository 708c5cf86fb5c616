#pragma once
// Distance between two nodes of an instance for search code that is compiled once: the metric is
// asked at every call, but plain Euclidean and matrix distances are inlined behind a branch that
// is always predicted.

#include <cstddef>

#include "core/instance/instance.h"

namespace eco {

class NodeDistance {
 public:
  explicit NodeDistance(const Instance& instance)
      : instance_(&instance), points_(nullptr), matrix_(nullptr), nodes_(instance.size()) {
    if (instance.metric == Metric::matrix) matrix_ = instance.matrix.data();
    if (instance.metric == Metric::euclidean && instance.rounding == Rounding::none) {
      points_ = instance.points.data();
    }
  }

  double operator()(std::size_t i, std::size_t j) const {
    if (points_ != nullptr) return euclidean(points_[i], points_[j]);
    if (matrix_ != nullptr) return matrix_[i * nodes_ + j];
    return instance_->distance(NodeId(i), NodeId(j));
  }

 private:
  const Instance* instance_;
  const Point* points_;   // only for plain Euclidean distances
  const double* matrix_;  // only for Metric::matrix
  std::size_t nodes_;
};

// Row i of an explicit matrix has the ways from node i; the way back may differ. False if it does
// somewhere. Looks at all entries; coordinates are answered at once.
[[nodiscard]] bool is_symmetric(const Instance& instance);

// Moves that reverse a path assume distance(i, j) == distance(j, i). Throws eco::Error (input) with
// the first pair of an explicit matrix that is not so.
void require_symmetric(const Instance& instance);

}  // namespace eco
