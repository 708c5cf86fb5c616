#include "core/expert/tsp/path.h"

#include <algorithm>
#include <cassert>

namespace eco {

namespace {

// A tour of this instance that is worth having goes along the edge between its first and last node.
// That edge is free; every other at these two is dearer by so much that a tour without it is longer
// by twice the greatest distance, and a detour that brings it back never costs more than once that.
Instance closed_path(const Instance& instance, const std::vector<NodeId>& nodes) {
  const std::size_t count = nodes.size(), last = count - 1;
  Instance closed;
  closed.metric = Metric::matrix;
  closed.matrix.resize(count * count);
  double farthest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = instance.distance(nodes[i], nodes[j]);
      closed.matrix[i * count + j] = closed.matrix[j * count + i] = distance;
      farthest = std::max(farthest, distance);
    }
  }
  const double penalty = farthest > 0 ? farthest : 1;
  for (std::size_t i = 1; i < last; ++i) {
    for (const std::size_t end : {std::size_t{0}, last}) {
      closed.matrix[i * count + end] += penalty;
      closed.matrix[end * count + i] += penalty;
    }
  }
  closed.matrix[last] = closed.matrix[last * count] = 0;
  return closed;
}

}  // namespace

std::vector<NodeId> solve_path(const Instance& instance, NodeId from,
                               std::span<const NodeId> through, NodeId to,
                               const IlsOptions& options) {
  if (through.size() < 2) return {through.begin(), through.end()};
  std::vector<NodeId> nodes = {from};
  nodes.insert(nodes.end(), through.begin(), through.end());
  nodes.push_back(to);
  const Solution tour = solve_tsp(closed_path(instance, nodes), options);

  std::vector<NodeId> order = tour.sequence;
  std::rotate(order.begin(), std::find(order.begin(), order.end(), NodeId(0)), order.end());
  if (order[1].index() == nodes.size() - 1) std::reverse(order.begin() + 1, order.end());
  assert(order.back().index() == nodes.size() - 1);
  std::vector<NodeId> path;
  path.reserve(through.size());
  for (std::size_t i = 1; i + 1 < order.size(); ++i) path.push_back(nodes[order[i].index()]);
  return path;
}

}  // namespace eco
