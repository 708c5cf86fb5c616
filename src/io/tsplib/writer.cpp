#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "io/label_index.h"
#include "io/problem_formats.h"
#include "io/tsplib/instance.h"

namespace eco::io {

namespace {

std::string_view weight_type(const Instance& instance) {
  switch (instance.metric) {
    case Metric::att:
      return "ATT";
    case Metric::geo:
      return "GEO";
    case Metric::matrix:
      return "EXPLICIT";
    case Metric::great_circle:
      throw Error(ErrorKind::usage,
                  "TSPLIB files have no name for great-circle distances; write JSON");
    case Metric::euclidean:
      break;
  }
  switch (instance.rounding) {
    case Rounding::nint:
      return "EUC_2D";
    case Rounding::ceil:
      return "CEIL_2D";
    case Rounding::trunc:
      return "FLOOR_2D";
    case Rounding::none:
      return "EXACT_2D";
    case Rounding::dimacs:
      break;
  }
  throw Error(ErrorKind::usage,
              "TSPLIB files have no name for the rounding 'dimacs'; choose another or write JSON");
}

// A value may not start a new line, or it would be read as a keyword.
void header(Output& output, std::string_view keyword, std::string_view value) {
  output << keyword << " : ";
  for (const char c : value) output << (static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  output << '\n';
}

void comments(Output& output, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    header(output, "COMMENT", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool is_directed(const Instance& instance) {
  const std::size_t nodes = instance.size();
  if (instance.metric != Metric::matrix) return false;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (instance.matrix[i * nodes + j] != instance.matrix[j * nodes + i]) return true;
    }
  }
  return false;
}

// Readers take row i of a matrix for node number i, so the rows go by number where the numbers are
// 1..n; that undoes the move of a depot to the front.
std::vector<std::size_t> row_order(const Instance& instance) {
  std::vector<std::size_t> order(instance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (instance.metric != Metric::matrix || instance.labels.empty()) return order;
  auto sorted = instance.labels;
  std::sort(sorted.begin(), sorted.end());
  if (is_plain(sorted)) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return instance.labels[a] < instance.labels[b];
    });
  }
  return order;
}

}  // namespace

void write_tsplib(Output& output, const Instance& instance) {
  const std::string_view type = weight_type(instance);
  if (const auto check = formats_of(instance.kind).require_library) check(instance);
  const bool depot = instance.has_depot();
  const bool explicit_matrix = instance.metric == Metric::matrix;
  const auto label = [&](std::size_t node) {
    return instance.labels.empty() ? static_cast<std::int64_t>(node + 1) : instance.labels[node];
  };

  if (!instance.name.empty()) header(output, "NAME", instance.name);
  comments(output, instance.comment);
  // The library has a name for a TSP of this kind; a CVRP is the same with either matrix.
  const bool directed = !depot && instance.problem().closed && is_directed(instance);
  header(output, "TYPE", directed ? std::string_view("ATSP") : instance.problem().tsplib);
  output << "DIMENSION : " << instance.size() << '\n';
  header(output, "EDGE_WEIGHT_TYPE", type);
  if (explicit_matrix) header(output, "EDGE_WEIGHT_FORMAT", "FULL_MATRIX");
  if (depot) output << "CAPACITY : " << instance.capacity << '\n';
  if (instance.vehicles) output << "VEHICLES : " << *instance.vehicles << '\n';

  const auto order = row_order(instance);
  if (explicit_matrix) {
    output << "EDGE_WEIGHT_SECTION\n";
    for (const std::size_t i : order) {
      std::string_view blank;
      for (const std::size_t j : order) {
        output << blank << instance.matrix[i * instance.size() + j];
        blank = " ";
      }
      output << '\n';
    }
  }
  if (instance.has_points()) {
    output << (explicit_matrix ? "DISPLAY_DATA_SECTION\n" : "NODE_COORD_SECTION\n");
    for (const std::size_t i : order) {
      output << label(i) << ' ' << instance.points[i].x << ' ' << instance.points[i].y << '\n';
    }
  }
  if (depot) {
    output << "DEMAND_SECTION\n";
    for (const std::size_t i : order) output << label(i) << ' ' << instance.demands[i] << '\n';
    output << "DEPOT_SECTION\n" << label(0) << "\n-1\n";
  }
  output << "EOF\n";
}

}  // namespace eco::io
