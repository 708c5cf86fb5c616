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
#include "core/instance/place.h"
#include "core/instance/problem_facts.h"
#include "core/tour/solution.h"

namespace eco {

// Whether routes end where they start. Of open ones a matrix has the lengths (0 where there is no
// way to go), and plans and pictures leave out the end that is not there.
enum class Open : std::uint8_t { no, end, start };

struct Instance {
  ProblemKind kind = kProblems.front();
  std::string name;
  std::string comment;

  // One a node, input order; a depot is node 0. An explicit matrix may come without
  // coordinates: then `points` is empty and only `matrix` counts.
  std::vector<Point> points;
  // Decimal degrees, where the data has them (set_places): `points` is then a plane map of them
  // for the policy, neighbour lists and pictures, and distances are great circles or a matrix.
  std::vector<Place> places;
  Metric metric = Metric::euclidean;
  Rounding rounding = Rounding::none;
  std::vector<double> matrix;  // [nodes, nodes] row-major, only for Metric::matrix

  // With a depot only. demands[0] is the depot's and is 0; every demand is in [0, capacity].
  std::vector<std::int64_t> demands;
  std::int64_t capacity = 0;
  std::optional<std::size_t> vehicles;    // at most so many routes; unset: as many as it takes
  std::vector<std::int64_t> vehicle_ids;  // what the user calls them, or none
  Open open = Open::no;

  // Of an open path only: where it begins and where it ends; unset: anywhere.
  std::optional<NodeId> start, end;

  // What the file called node i, where that is not i + 1 (TSPLIB files may number freely).
  std::vector<std::int64_t> labels;
  // What the user calls node i, where that is no number; then there are no labels.
  std::vector<std::string> names;

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

// Sets `places`, and `points` to their local projection.
void set_places(Instance& instance, std::vector<Place> places);

// What users call the node: its name or label if it has one, else its number counted from 1.
[[nodiscard]] std::string node_id(const Instance& instance, NodeId node);
// The same for messages: "node 7", "node 'Bakery'".
[[nodiscard]] std::string node_name(const Instance& instance, NodeId node);

// Throws eco::Error (input) naming the first thing that is not as documented above: sizes that do
// not fit, non-finite coordinates or degrees that do not exist, a demand outside [0, capacity],
// more than kMaxNodes. Every reader and generator ends with it.
void validate(const Instance& instance, std::string_view source = {});

}  // namespace eco
