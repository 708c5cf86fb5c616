#include "io/tsplib/instance.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "io/label_index.h"
#include "io/scanner.h"
#include "io/tsplib/file.h"
#include "io/tsplib/matrix.h"

namespace eco::io {

namespace {

struct WeightType {
  std::string_view name;
  Metric metric;
  Rounding rounding;
};

constexpr std::array<WeightType, 7> kWeightTypes{{
    {"EUC_2D", Metric::euclidean, Rounding::nint},
    {"CEIL_2D", Metric::euclidean, Rounding::ceil},
    {"FLOOR_2D", Metric::euclidean, Rounding::trunc},
    {"EXACT_2D", Metric::euclidean, Rounding::none},
    {"ATT", Metric::att, Rounding::none},
    {"GEO", Metric::geo, Rounding::none},
    {"EXPLICIT", Metric::matrix, Rounding::none},
}};

constexpr std::string_view kWeightTypeNames =
    "EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D, ATT, GEO or EXPLICIT";

// Turns what the file says into an instance, or says what does not fit together.
class Assembler {
 public:
  Assembler(TsplibFile file, const ReadOptions& options)
      : file_(std::move(file)), options_(options) {}

  Instance run() {
    kind();
    weight_type();
    points();
    if (instance_.metric == Metric::matrix) matrix();
    if (instance_.has_depot()) {
      demands();
      vehicles();
      depot();
    } else {
      if (const auto* header = file_.header("VEHICLES")) {
        throw input_error(at(header->line), "VEHICLES",
                          "no such keyword in a " + std::string(instance_.problem().title));
      }
      refuse_section("DEMAND_SECTION");
      refuse_section("DEPOT_SECTION");
    }
    if (is_plain(instance_.labels)) instance_.labels.clear();
    validate(instance_, file_.name);
    return std::move(instance_);
  }

 private:
  [[nodiscard]] Location at(std::size_t line) const { return {file_.name, line}; }
  [[nodiscard]] Location at_section(const std::string& section) const {
    return at(file_.sections.at(section));
  }

  const TsplibFile::Header& need(const std::string& keyword, std::string_view expected) {
    const auto* header = file_.header(keyword);
    if (header == nullptr) throw input_error(at(0), "no " + keyword, expected);
    return *header;
  }
  void need_section(const std::string& section, std::string_view reason) {
    if (!file_.has_section(section)) throw input_error(at(0), "no " + section, reason);
  }
  void refuse_section(const std::string& section) {
    if (file_.has_section(section)) {
      throw input_error(at_section(section), section,
                        "no such section in a " + std::string(instance_.problem().title));
    }
  }

  void kind() {
    std::string expected;
    for (const ProblemKind kind : kProblems) {
      expected +=
          (expected.empty() ? "TYPE : " : " or TYPE : ") + std::string(facts_of(kind).tsplib);
    }
    expected += " or TYPE : ATSP";
    const auto& type = need("TYPE", expected);
    // Some files carry a remark behind the type.
    std::string_view word = std::string_view(type.value).substr(0, type.value.find(' '));
    directed_ = same_word(word, "ATSP");
    if (directed_) word.remove_prefix(1);
    const auto* const found =
        std::find_if(kProblems.begin(), kProblems.end(),
                     [&](ProblemKind kind) { return same_word(word, facts_of(kind).tsplib); });
    if (found == kProblems.end()) throw input_error(at(type.line), quoted(type.value), expected);
    instance_.kind = *found;
    if (const auto* name = file_.header("NAME")) instance_.name = name->value;
    if (const auto* comment = file_.header("COMMENT")) instance_.comment = comment->value;
    need("DIMENSION", "the number of nodes");
  }

  void weight_type() {
    const auto& header = need("EDGE_WEIGHT_TYPE", kWeightTypeNames);
    const auto* const known =
        std::find_if(kWeightTypes.begin(), kWeightTypes.end(),
                     [&](const WeightType& type) { return same_word(type.name, header.value); });
    if (known == kWeightTypes.end()) {
      throw input_error(at(header.line), quoted(header.value), kWeightTypeNames);
    }
    instance_.metric = known->metric;
    instance_.rounding = known->rounding;
    if (options_.rounding && known->metric == Metric::euclidean) {
      instance_.rounding = *options_.rounding;
    }
  }

  void points() {
    if (instance_.metric == Metric::matrix) {
      need_section("EDGE_WEIGHT_SECTION", "one with EDGE_WEIGHT_TYPE EXPLICIT");
    } else {
      need_section("NODE_COORD_SECTION", "one with this EDGE_WEIGHT_TYPE");
      if (file_.has_section("EDGE_WEIGHT_SECTION")) {
        throw input_error(at_section("EDGE_WEIGHT_SECTION"), "EDGE_WEIGHT_SECTION",
                          "it only with EDGE_WEIGHT_TYPE EXPLICIT");
      }
    }
    const bool from_nodes = file_.has_section("NODE_COORD_SECTION");
    auto& coordinates = from_nodes ? file_.nodes : file_.display;
    instance_.points = std::move(coordinates.points);
    instance_.labels = std::move(coordinates.labels);
    if (instance_.labels.empty()) {
      for (const auto& row : file_.demands) instance_.labels.push_back(row.label);
    }
    if (instance_.metric == Metric::matrix) place_by_label();
    const LabelIndex index(instance_.labels, file_.dimension);
    if (index.duplicate()) {
      const std::string section = from_nodes ? "NODE_COORD_SECTION"
                                  : file_.has_section("DISPLAY_DATA_SECTION")
                                      ? "DISPLAY_DATA_SECTION"
                                      : "DEMAND_SECTION";
      throw input_error(at_section(section),
                        "node " + std::to_string(*index.duplicate()) + " twice", "every node once");
    }
  }

  // Row i of a matrix belongs to node i, whatever the order of the coordinate rows. Numbers other
  // than 1..n can only mean the order in the file.
  void place_by_label() {
    const std::size_t nodes = file_.dimension;
    if (instance_.labels.empty()) return;
    std::vector<std::size_t> row_of(nodes, nodes);
    for (std::size_t row = 0; row < nodes; ++row) {
      const std::int64_t label = instance_.labels[row];
      if (label < 1 || static_cast<std::uint64_t>(label) > nodes) return;
      row_of[static_cast<std::size_t>(label - 1)] = row;
    }
    if (std::find(row_of.begin(), row_of.end(), nodes) != row_of.end()) return;
    if (!instance_.points.empty()) {
      std::vector<Point> placed;
      placed.reserve(nodes);
      for (const std::size_t row : row_of) placed.push_back(instance_.points[row]);
      instance_.points = std::move(placed);
    }
    std::iota(instance_.labels.begin(), instance_.labels.end(), 1);
  }

  void matrix() {
    const auto& format = need("EDGE_WEIGHT_FORMAT", "the layout of the EXPLICIT distances");
    const auto layout = matrix_layout_from(format.value);
    if (!layout) {
      throw input_error(at(format.line), quoted(format.value),
                        "FULL_MATRIX or UPPER_, LOWER_, UPPER_DIAG_, LOWER_DIAG_ with ROW or COL");
    }
    const std::size_t nodes = file_.dimension;
    const std::size_t expected = entries(*layout, nodes);
    if (file_.weights.size() != expected) {
      throw input_error(at_section("EDGE_WEIGHT_SECTION"),
                        std::to_string(file_.weights.size()) + " distances",
                        std::to_string(expected) + " for " + format.value + " and DIMENSION " +
                            std::to_string(nodes));
    }
    instance_.matrix = full_matrix(*layout, file_.weights, nodes);
    if (directed_ || instance_.has_depot()) return;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (instance_.matrix[i * nodes + j] == instance_.matrix[j * nodes + i]) continue;
        throw input_error(at_section("EDGE_WEIGHT_SECTION"),
                          "different distances from node " + std::to_string(j + 1) + " to " +
                              std::to_string(i + 1) + " and back",
                          "a symmetric matrix, or TYPE : ATSP");
      }
    }
  }

  void demands() {
    const auto& header = need("CAPACITY", "the capacity of a vehicle");
    instance_.capacity = quantity_from(header.value).value_or(0);
    if (instance_.capacity < 1) {
      throw input_error(at(header.line), "CAPACITY " + quoted(header.value),
                        "a whole number from 1 to " + std::to_string(kMaxQuantity));
    }
    need_section("DEMAND_SECTION", "one in a CVRP");
    const LabelIndex index(instance_.labels, file_.dimension);
    instance_.demands.assign(file_.dimension, -1);
    for (const auto& row : file_.demands) {
      const auto node = index.find(row.label);
      if (!node) {
        throw input_error(at(row.line), "a demand of node " + std::to_string(row.label),
                          "a node of the instance");
      }
      if (row.demand < 0 || row.demand > instance_.capacity) {
        throw input_error(at(row.line), "demand " + std::to_string(row.demand),
                          "0 to the capacity " + std::to_string(instance_.capacity));
      }
      auto& demand = instance_.demands[*node];
      if (demand >= 0) {
        throw input_error(at(row.line), "a second demand of node " + std::to_string(row.label),
                          "every node once");
      }
      demand = row.demand;
    }
  }

  void vehicles() {
    const auto* header = file_.header("VEHICLES");
    if (header == nullptr) return;
    const std::int64_t count = quantity_from(header->value).value_or(0);
    if (count < 1) {
      throw input_error(at(header->line), "VEHICLES " + quoted(header->value),
                        "a whole number from 1 to " + std::to_string(kMaxQuantity));
    }
    instance_.vehicles = static_cast<std::size_t>(count);
  }

  void depot() {
    need_section("DEPOT_SECTION", "one in a CVRP");
    if (file_.depots.empty()) {
      throw input_error(at_section("DEPOT_SECTION"), "no depot", "one node number, then -1");
    }
    const LabelIndex index(instance_.labels, file_.dimension);
    const auto node = index.find(file_.depots.front());
    if (!node) {
      throw input_error(at_section("DEPOT_SECTION"),
                        "depot " + std::to_string(file_.depots.front()), "a node of the instance");
    }
    if (instance_.demands[*node] != 0) {
      throw input_error(at_section("DEPOT_SECTION"),
                        "a depot with demand " + std::to_string(instance_.demands[*node]),
                        "demand 0 at the depot");
    }
    if (*node != 0) move_to_front(*node);
  }

  void move_to_front(std::size_t node) {
    const std::size_t nodes = file_.dimension;
    if (instance_.labels.empty()) {
      instance_.labels.resize(nodes);
      std::iota(instance_.labels.begin(), instance_.labels.end(), 1);
    }
    const auto rotate = [node](auto& values) {
      const auto at = values.begin() + static_cast<std::ptrdiff_t>(node);
      std::rotate(values.begin(), at, at + 1);
    };
    rotate(instance_.labels);
    rotate(instance_.demands);
    if (!instance_.points.empty()) rotate(instance_.points);
    if (instance_.matrix.empty()) return;
    const auto source = [node](std::size_t i) { return i == 0 ? node : (i <= node ? i - 1 : i); };
    std::vector<double> moved(nodes * nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        moved[i * nodes + j] = instance_.matrix[source(i) * nodes + source(j)];
      }
    }
    instance_.matrix = std::move(moved);
  }

  TsplibFile file_;
  const ReadOptions& options_;
  Instance instance_;
  bool directed_ = false;  // ATSP: the way back may differ
};

}  // namespace

Instance read_tsplib(TextInput& input, const ReadOptions& options) {
  return Assembler(parse_tsplib(input), options).run();
}

}  // namespace eco::io
