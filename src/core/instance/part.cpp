#include "core/instance/part.h"

namespace eco {

Instance part_of(const Instance& instance, std::span<const std::uint32_t> nodes) {
  Instance part;
  part.metric = instance.metric;
  part.rounding = instance.rounding;
  if (instance.has_points()) {
    part.points.reserve(nodes.size());
    for (const std::uint32_t node : nodes) part.points.push_back(instance.points[node]);
  }
  if (!instance.places.empty()) {
    part.places.reserve(nodes.size());
    for (const std::uint32_t node : nodes) part.places.push_back(instance.places[node]);
  }
  if (instance.metric == Metric::matrix) {
    part.matrix.reserve(nodes.size() * nodes.size());
    for (const std::uint32_t a : nodes) {
      const double* row = instance.matrix.data() + a * instance.size();
      for (const std::uint32_t b : nodes) part.matrix.push_back(row[b]);
    }
  }
  return part;
}

}  // namespace eco
