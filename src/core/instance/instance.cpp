#include "core/instance/instance.h"

#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/instance/distance.h"

namespace eco {

std::optional<ProblemKind> problem_from(std::string_view name) {
  for (const ProblemKind kind : kProblems) {
    if (to_string(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string problem_names(std::string_view separator) {
  std::string names;
  for (const ProblemKind kind : kProblems) {
    if (!names.empty()) names += separator;
    names += to_string(kind);
  }
  return names;
}

std::size_t Instance::size() const {
  if (!points.empty()) return points.size();
  return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(matrix.size()))));
}

double Instance::distance(NodeId from, NodeId to) const {
  return with_distance(*this, [&](auto d) { return d(from.index(), to.index()); });
}

void set_places(Instance& instance, std::vector<Place> places) {
  instance.points = local_projection(places);
  instance.places = std::move(places);
}

std::string node_id(const Instance& instance, NodeId node) {
  if (!instance.names.empty()) return instance.names[node.index()];
  if (!instance.labels.empty()) return std::to_string(instance.labels[node.index()]);
  return std::to_string(node.index() + 1);
}

std::string node_name(const Instance& instance, NodeId node) {
  const std::string id = node_id(instance, node);
  return "node " + (instance.names.empty() ? id : quoted(id));
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
  require(instance.places.empty() || instance.places.size() == instance.points.size(), source,
          "the places do not match the number of nodes");
  for (std::size_t i = 0; i < instance.places.size(); ++i) {
    const std::string problem = place_violation(instance.places[i]);
    require(problem.empty(), source, node_name(instance, NodeId(i)) + ": " + problem);
  }
  if (instance.metric == Metric::great_circle) {
    require(!instance.places.empty(), source, "great-circle distances without places");
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
  require(instance.names.empty() || (instance.names.size() == nodes && instance.labels.empty()),
          source, "the node names do not match the number of nodes");
  const ProblemFacts& problem = instance.problem();
  require(
      problem.depot || (instance.demands.empty() && instance.capacity == 0 && !instance.vehicles),
      source, "a " + std::string(problem.title) + " instance with demands, a capacity or vehicles");
  require(!problem.closed || (!instance.start && !instance.end), source,
          "a " + std::string(problem.title) + " instance with a start or an end");
  require(instance.vehicle_ids.empty() || instance.vehicle_ids.size() == instance.vehicles, source,
          "the ids of the vehicles do not match their number");
  problem.validate(instance, source);
}

}  // namespace eco
