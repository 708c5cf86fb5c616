#include "core/expert/adapter/problem_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/instance/distance.h"

namespace eco {

namespace {

constexpr double kSide = 1e7;         // seven digits of precision where the coordinates are real
constexpr double kTotalLength = 1e9;  // of a tour: half of what a signed 32-bit sum can hold

Error unsupported(const std::string& message) {
  return {ErrorKind::usage, message};
}

struct Box {
  Point low, high;
  [[nodiscard]] double side() const { return std::max(high.x - low.x, high.y - low.y); }
};

Box bounding_box(const std::vector<Point>& points) {
  Box box{points.front(), points.front()};
  for (const Point& point : points) {
    box.low = {std::min(box.low.x, point.x), std::min(box.low.y, point.y)};
    box.high = {std::max(box.high.x, point.x), std::max(box.high.y, point.y)};
  }
  return box;
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

void append_integer(std::string& text, std::int64_t value) {
  std::array<char, 24> buffer{};
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  text.append(buffer.data(), end);
}

// The shortest form that reads back exactly, without exponent.
void append_number(std::string& text, double value) {
  std::array<char, 400> buffer{};  // the longest fixed form of a double has under 350 characters
  char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
          .ptr;
  text.append(buffer.data(), end);
}

ProblemFile coordinate_section(const Instance& instance, const Statement& statement) {
  const Box box = bounding_box(instance.points);
  ProblemFile file{"NODE_COORD_SECTION\n", statement.scale * euclidean(box.low, box.high) + 2};
  if (instance.metric == Metric::geo) file.longest = 20'100;  // half way round the earth, in km
  std::string& text = file.text;
  // Whole coordinates count from the corner: their digits go to differences, not to an offset.
  const Point origin = statement.whole ? box.low : Point{};
  const auto append = [&](double value) {
    text += ' ';
    if (statement.whole) {
      append_integer(text, std::llround(value));
    } else {
      append_number(text, value);
    }
  };
  for (std::size_t i = 0; i < instance.size(); ++i) {
    append_integer(text, static_cast<std::int64_t>(i + 1));
    append(statement.scale * (instance.points[i].x - origin.x));
    append(statement.scale * (instance.points[i].y - origin.y));
    text += '\n';
  }
  return file;
}

// Distances as integers: as they are if whole, in tenths if whole tenths, else scaled up.
ProblemFile matrix_section(const Instance& instance) {
  const std::size_t nodes = instance.size();
  if (nodes > kMaxMatrixNodes) {
    throw unsupported("the solver does not know this metric, and a distance matrix of " +
                      std::to_string(nodes) + " nodes is too large (at most " +
                      std::to_string(kMaxMatrixNodes) + ")");
  }
  return with_distance(instance, [&](auto distance) {
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
    ProblemFile file{"EDGE_WEIGHT_SECTION\n", scale * largest + 1};
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        append_integer(file.text, i == j ? 0 : std::llround(scale * distance(i, j)));
        file.text += j + 1 == nodes ? '\n' : ' ';
      }
    }
    return file;
  });
}

std::string demand_section(const Instance& instance) {
  std::string text = "DEMAND_SECTION\n";
  for (std::size_t i = 0; i < instance.size(); ++i) {
    append_integer(text, static_cast<std::int64_t>(i + 1));
    text += ' ';
    append_integer(text, instance.demands[i]);
    text += '\n';
  }
  return text + "DEPOT_SECTION\n1\n-1\n";
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
  // HGS-CVRP skips three lines for name, comment and type, and needs blanks around the colon.
  std::string head = "NAME : eco\nCOMMENT : written by eco\n";
  head += "TYPE : " + std::string(instance.problem().tsplib) + "\n";
  head += "DIMENSION : " + std::to_string(instance.size()) + "\n";
  if (coordinates) {
    head += "EDGE_WEIGHT_TYPE : " + std::string(statement.weight_type) + "\n";
  } else {
    head += "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\n";
  }
  if (depot) head += "CAPACITY : " + std::to_string(instance.capacity) + "\n";
  ProblemFile file =
      coordinates ? coordinate_section(instance, statement) : matrix_section(instance);
  file.text.insert(0, head);
  if (depot) file.text += demand_section(instance);
  file.text += "EOF\n";
  return file;
}

}  // namespace eco
