#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/instance/tsplib_text.h"
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
  if (const auto check = formats_of(instance.kind).require_library) check(instance);
  const auto order = row_order(instance);
  TsplibText text;
  text.name = instance.name;
  text.comment = instance.comment;
  // The library has a name for a TSP of this kind; a CVRP is the same with either matrix.
  const bool directed = !instance.has_depot() && instance.problem().closed && is_directed(instance);
  if (directed) text.type = "ATSP";
  text.weight_type = weight_type(instance);
  text.vehicles = instance.vehicles;
  text.labels = instance.labels;
  text.order = order;
  if (instance.metric == Metric::matrix) {
    text.weight = [&](std::string& out, std::size_t from, std::size_t to) {
      append_number(out, instance.matrix[from * instance.size() + to]);
    };
  }
  if (instance.has_points()) {
    text.point = [&](std::string& out, std::size_t node) {
      append_number(out, instance.points[node].x);
      out += ' ';
      append_number(out, instance.points[node].y);
    };
  }
  write_tsplib_text(instance, text, [&](std::string_view piece) { output << piece; });
}

}  // namespace eco::io
