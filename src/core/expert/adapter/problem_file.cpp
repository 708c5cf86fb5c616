#include "core/expert/adapter/problem_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/geometry/box.h"
#include "core/instance/distance.h"
#include "core/instance/tsplib_text.h"

namespace eco {

namespace {

constexpr double kSide = 1e7;         // seven digits of precision where the coordinates are real
constexpr double kTotalLength = 1e9;  // of a tour: half of what a signed 32-bit sum can hold

Error unsupported(const std::string& message) {
  return {ErrorKind::usage, message};
}

// The factor that brings the larger side of the box to `side`, or less where a tour of that size
// could exceed kTotalLength.
double coordinate_scale(const std::vector<Point>& points, double side) {
  const double extent = bounding_box(points).side();
  if (!(extent > 0)) return 1.0;
  // A good tour through n points of a unit square is never longer than about sqrt(2 n) + 2; solvers
  // start from worse ones.
  const double longest = 3.0 * (std::sqrt(2.0 * static_cast<double>(points.size())) + 2.0);
  return std::min(side, kTotalLength / longest) / extent;
}

// How the instance can be stated: a weight type with coordinates times `scale`, or a matrix.
struct Statement {
  std::string_view weight_type;  // empty: EXPLICIT
  double scale = 1;
  bool whole = false;  // scaled coordinates are rounded to integers
};

Statement statement_of(const Instance& instance, const SolverDialect& dialect) {
  switch (instance.metric) {
    case Metric::att:
      return {dialect.att ? "ATT" : ""};
    case Metric::geo:
      return {dialect.geo ? "GEO" : ""};
    case Metric::matrix:
    case Metric::great_circle:
      return {""};
    case Metric::euclidean:
      break;
  }
  switch (instance.rounding) {
    case Rounding::nint:
      return {"EUC_2D"};
    case Rounding::ceil:
      return {dialect.ceil_2d ? "CEIL_2D" : ""};
    case Rounding::trunc:
      return {dialect.floor_2d ? "FLOOR_2D" : ""};
    case Rounding::dimacs:  // tenths, truncated: ten times as large, truncated to integers
      return {dialect.floor_2d ? "FLOOR_2D" : "", 10.0, false};
    case Rounding::none:
      break;
  }
  const bool exact = dialect.exact_side > 0;
  return {"EUC_2D", coordinate_scale(instance.points, exact ? dialect.exact_side : kSide), !exact};
}

// Appends the numbers as the solver should see them, and notes the longest distance.
void state_points(const Instance& instance, const Statement& statement, TsplibText& text,
                  double& longest) {
  const Box box = bounding_box(instance.points);
  longest = statement.scale * euclidean(box.low, box.high) + 2;
  if (instance.metric == Metric::geo) longest = 20'100;  // half way round the earth, in km
  // Whole coordinates count from the corner: their digits go to differences, not to an offset.
  const Point origin = statement.whole ? box.low : Point{};
  const auto append = [statement](std::string& out, double value) {
    if (statement.whole) {
      append_number(out, static_cast<std::int64_t>(std::llround(value)));
    } else {
      append_fixed(out, value);
    }
  };
  text.point = [&instance, statement, origin, append](std::string& out, std::size_t node) {
    append(out, statement.scale * (instance.points[node].x - origin.x));
    out += ' ';
    append(out, statement.scale * (instance.points[node].y - origin.y));
  };
}

// Distances as integers: as they are if whole, in tenths if whole tenths, else scaled up.
void state_matrix(const Instance& instance, TsplibText& text, double& longest) {
  const std::size_t nodes = instance.size();
  if (nodes > kMaxMatrixNodes) {
    throw unsupported("the solver does not know this metric, and a distance matrix of " +
                      std::to_string(nodes) + " nodes is too large (at most " +
                      std::to_string(kMaxMatrixNodes) + ")");
  }
  with_distance(instance, [&](auto distance) {
    double largest = 0;
    bool whole = true, tenths = true;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double value = distance(i, j);
        if (value != distance(j, i)) throw unsupported("the distance matrix is not symmetric");
        if (value < 0) throw unsupported("the distance matrix has a negative entry");
        largest = std::max(largest, value);
        whole = whole && value == std::round(value);
        tenths = tenths && std::abs(10 * value - std::round(10 * value)) < 1e-6;
      }
    }
    const double limit = kTotalLength / static_cast<double>(nodes);
    double scale = largest > 0 ? std::min(kSide, limit) / largest : 1.0;
    if (whole && largest <= kTotalLength) {
      scale = 1;
    } else if (tenths && 10 * largest <= kTotalLength) {
      scale = 10;
    }
    longest = scale * largest + 1;
    text.weight = [distance, scale](std::string& out, std::size_t from, std::size_t to) {
      append_number(out, std::int64_t{from == to ? 0 : std::llround(scale * distance(from, to))});
    };
  });
}

}  // namespace

ProblemFile problem_file(const Instance& instance, const SolverDialect& dialect) {
  const bool depot = instance.has_depot();
  if (depot && instance.capacity > std::numeric_limits<std::int32_t>::max()) {
    throw unsupported("the capacity " + std::to_string(instance.capacity) +
                      " is more than the solver's 32-bit numbers hold");
  }
  const Statement statement = statement_of(instance, dialect);
  const bool coordinates = !statement.weight_type.empty();
  if (!coordinates && !dialect.matrix) {
    throw unsupported(
        "the solver reads Euclidean distances only, exact or rounded to the nearest integer; the "
        "instance has " +
        std::string(to_string(instance.metric)) + " distances, rounding " +
        std::string(to_string(instance.rounding)));
  }
  ProblemFile file;
  TsplibText text;
  text.name = "eco";
  text.comment = "written by eco";
  text.weight_type = coordinates ? statement.weight_type : "EXPLICIT";
  if (coordinates) {
    state_points(instance, statement, text, file.longest);
  } else {
    state_matrix(instance, text, file.longest);
  }
  write_tsplib_text(instance, text, [&](std::string_view piece) { file.text += piece; });
  return file;
}

}  // namespace eco
