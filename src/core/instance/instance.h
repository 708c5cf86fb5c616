#pragma once
// A routing instance exactly as the user gave it: original coordinates, original metric, original
// units. What the network sees (unit square, canonical order) is derived from it elsewhere; costs
// never are.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/instance/metric.h"
#include "core/instance/problem_facts.h"
#include "core/tour/solution.h"

namespace eco {

struct Instance {
  ProblemKind kind = kProblems.front();
  std::string name;
  std::string comment;

  // One a node, input order; a depot is node 0. An explicit matrix may come without
  // coordinates: then `points` is empty and only `matrix` counts.
  std::vector<Point> points;
  Metric metric = Metric::euclidean;
  Rounding rounding = Rounding::none;
  std::vector<double> matrix;  // [nodes, nodes] row-major, only for Metric::matrix

  // With a depot only. demands[0] is the depot's and is 0; every demand is in [0, capacity].
  std::vector<std::int64_t> demands;
  std::int64_t capacity = 0;
  std::optional<std::size_t> vehicles;  // at most so many routes; unset: as many as it takes

  // Of an open path only: where it begins and where it ends; unset: anywhere.
  std::optional<NodeId> start, end;

  // What the file called node i, where that is not i + 1 (TSPLIB files may number freely).
  std::vector<std::int64_t> labels;

  // A solution that came with the instance, and its cost as stated or recomputed.
  std::optional<Solution> reference;
  std::optional<double> reference_cost;

  [[nodiscard]] std::size_t size() const;  // nodes, the depot included
  [[nodiscard]] const ProblemFacts& problem() const { return facts_of(kind); }
  [[nodiscard]] bool has_depot() const { return problem().depot; }
  [[nodiscard]] std::size_t customers() const { return has_depot() ? size() - 1 : size(); }
  [[nodiscard]] bool has_points() const { return !points.empty(); }
  [[nodiscard]] double distance(NodeId from, NodeId to) const;
};

// What users call the node: "node 7", by its label if it has one, else counted from 1.
[[nodiscard]] std::string node_name(const Instance& instance, NodeId node);

// Throws eco::Error (input) naming the first thing that is not as documented above: sizes that do
// not fit, non-finite coordinates or degrees that do not exist, a demand outside [0, capacity],
// more than kMaxNodes. Every reader and generator ends with it.
void validate(const Instance& instance, std::string_view source = {});

}  // namespace eco
