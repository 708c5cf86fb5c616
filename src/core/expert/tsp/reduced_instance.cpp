#include "core/expert/tsp/reduced_instance.h"

#include <numeric>

#include "core/instance/distance.h"
#include "core/ordering/ordering.h"

namespace eco {

namespace {

// Up to here a matrix stays in the second-level cache and a look-up beats a square root.
constexpr std::size_t kLargestMatrix = 200;

}  // namespace

ReducedInstance::ReducedInstance(const Instance& original) {
  const std::size_t nodes = original.size();
  if (original.metric == Metric::matrix) {
    instance_ = original;
    members_.resize(nodes);
    first_.resize(nodes + 1);
    std::iota(members_.begin(), members_.end(), 0U);
    std::iota(first_.begin(), first_.end(), 0U);
    return;
  }
  instance_.metric = original.metric;
  instance_.rounding = original.rounding;
  members_ = order_points(original.points, Ordering::hilbert);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const Point& point = original.points[members_[i]];
    if (i > 0 && point == instance_.points.back()) continue;
    first_.push_back(i);
    instance_.points.push_back(point);
  }
  first_.push_back(static_cast<std::uint32_t>(nodes));

  const std::size_t distinct = instance_.points.size();
  if (distinct > kLargestMatrix) return;
  std::vector<double> matrix(distinct * distinct);
  with_distance(instance_, [&](auto distance) {
    for (std::size_t i = 0; i < distinct; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        matrix[i * distinct + j] = matrix[j * distinct + i] = distance(i, j);
      }
    }
  });
  instance_.matrix = std::move(matrix);
  instance_.metric = Metric::matrix;
}

Solution ReducedInstance::expand(std::span<const std::uint32_t> order) const {
  Solution tour;
  tour.sequence.reserve(members_.size());
  for (const std::uint32_t node : order) {
    for (std::uint32_t i = first_[node]; i < first_[node + 1]; ++i) {
      tour.sequence.emplace_back(members_[i]);
    }
  }
  return tour;
}

}  // namespace eco
