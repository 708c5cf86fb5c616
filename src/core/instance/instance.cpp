#include "core/instance/instance.h"

#include <cmath>

#include "core/base/error.h"
#include "core/instance/distance.h"

namespace eco {

std::string_view to_string(ProblemKind kind) {
  return kind == ProblemKind::tsp ? "tsp" : "cvrp";
}

std::size_t Instance::size() const {
  if (!points.empty()) return points.size();
  return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(matrix.size()))));
}

double Instance::distance(NodeId from, NodeId to) const {
  return with_distance(*this, [&](auto d) { return d(from.index(), to.index()); });
}

std::string node_name(const Instance& instance, NodeId node) {
  if (!instance.labels.empty()) return "node " + std::to_string(instance.labels[node.index()]);
  return "node " + std::to_string(node.index() + 1);
}

namespace {

void require(bool condition, std::string_view source, const std::string& message) {
  if (!condition) throw input_error({std::string(source), 0}, message);
}

}  // namespace

void validate(const Instance& instance, std::string_view source) {
  const std::size_t nodes = instance.size();
  require(nodes >= 1, source, "the instance has no nodes");
  require(
      nodes <= kMaxNodes, source,
      std::to_string(nodes) + " nodes; at most " + std::to_string(kMaxNodes) + " are supported");
  for (std::size_t i = 0; i < instance.points.size(); ++i) {
    require(std::isfinite(instance.points[i].x) && std::isfinite(instance.points[i].y), source,
            "node " + std::to_string(i + 1) + " has a coordinate that is not a finite number");
  }
  if (instance.metric == Metric::geo) {
    for (std::size_t i = 0; i < instance.points.size(); ++i) {
      const std::string problem = geo_violation(instance.points[i]);
      require(problem.empty(), source, "node " + std::to_string(i + 1) + ": " + problem);
    }
  }
  if (instance.metric == Metric::matrix) {
    require(instance.matrix.size() == nodes * nodes, source,
            "the distance matrix has " + std::to_string(instance.matrix.size()) + " entries for " +
                std::to_string(nodes) + " nodes");
    for (const double value : instance.matrix) {
      require(std::isfinite(value), source, "the distance matrix has an entry that is not finite");
    }
  } else {
    require(instance.matrix.empty(), source, "a distance matrix with a coordinate metric");
  }
  require(instance.labels.empty() || instance.labels.size() == nodes, source,
          "the node labels do not match the number of nodes");
  if (instance.kind == ProblemKind::tsp) {
    require(instance.demands.empty() && instance.capacity == 0 && !instance.vehicles, source,
            "a TSP instance with demands, a capacity or vehicles");
    return;
  }
  require(nodes >= 2, source, "a CVRP instance needs a depot and at least one customer");
  require(instance.capacity > 0, source,
          "capacity is " + std::to_string(instance.capacity) + ", expected a positive number");
  require(!instance.vehicles || *instance.vehicles > 0, source, "no vehicles, expected at least 1");
  require(instance.demands.size() == nodes, source,
          std::to_string(instance.demands.size()) + " demands for " + std::to_string(nodes) +
              " nodes (the depot included)");
  require(instance.demands[0] == 0, source,
          "the depot has demand " + std::to_string(instance.demands[0]) + ", expected 0");
  for (std::size_t i = 1; i < nodes; ++i) {
    require(instance.demands[i] >= 0 && instance.demands[i] <= instance.capacity, source,
            "node " + std::to_string(i + 1) + " has demand " + std::to_string(instance.demands[i]) +
                ", expected 0 to the capacity " + std::to_string(instance.capacity));
  }
}

}  // namespace eco
