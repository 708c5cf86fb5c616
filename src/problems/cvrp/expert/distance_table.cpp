#include "problems/cvrp/expert/distance_table.h"

#include "core/instance/distance.h"
#include "core/search/node_distance.h"

namespace eco {

DistanceTable::DistanceTable(const Instance& instance, std::size_t matrix_nodes)
    : instance_(&instance),
      nodes_(instance.size()),
      plain_(instance.metric == Metric::euclidean && instance.rounding == Rounding::none),
      symmetric_(is_symmetric(instance)) {
  if (nodes_ > matrix_nodes) return;
  matrix_.resize(nodes_ * nodes_);
  with_distance(instance, [&](auto distance) {
    for (std::size_t i = 0; i < nodes_; ++i) {
      for (std::size_t j = 0; j < nodes_; ++j) {
        matrix_[i * nodes_ + j] = i == j ? 0.0 : distance(i, j);
      }
    }
  });
  into_ = matrix_.data();
  if (symmetric_) return;
  transposed_.resize(nodes_ * nodes_);
  for (std::size_t i = 0; i < nodes_; ++i) {
    for (std::size_t j = 0; j < nodes_; ++j) transposed_[j * nodes_ + i] = matrix_[i * nodes_ + j];
  }
  into_ = transposed_.data();
}

}  // namespace eco
