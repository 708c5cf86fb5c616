#include "io/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "core/base/error.h"
#include "core/instance/generate.h"
#include "core/ordering/ordering.h"

namespace eco::io {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string fixed(double value) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

Instance instance_of(ProblemKind kind, std::size_t nodes) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  return generate(options, 0);
}

Solution in_file_order(const Instance& instance) {
  Solution tour;
  for (std::size_t i = 0; i < instance.size(); ++i) tour.sequence.emplace_back(i);
  return tour;
}

TEST(Svg, DrawsEveryCustomerOfACvrpOnceAndTheDepot) {
  const Instance instance = instance_of(ProblemKind::cvrp, 60);
  Routes routes;  // three customers a route: 27 at most, within the capacity of 42
  for (std::size_t i = 1; i <= 60; ++i) {
    if (i % 3 == 1) routes.emplace_back();
    routes.back().emplace_back(i);
  }
  const Solution solution = from_routes(routes);
  const std::string svg = svg_picture(instance, &solution);
  EXPECT_EQ(occurrences(svg, "<circle"), 60U);
  EXPECT_EQ(occurrences(svg, "<path"), 2 * 20U) << "depot legs and inner part of each route";
  EXPECT_EQ(occurrences(svg, "<rect"), 2U) << "background and depot";
  EXPECT_NE(svg.find("60 customers, capacity 42, 20 routes"), std::string::npos);
}

TEST(Svg, LegendHasLoadAndLengthOfEveryRouteThatHasRoom) {
  const Instance instance = instance_of(ProblemKind::cvrp, 60);
  for (const std::size_t size : {3U, 1U}) {
    Routes routes;
    for (std::size_t i = 1; i <= 60; ++i) {
      if (i % size == 0 || routes.empty()) routes.emplace_back();
      routes.back().emplace_back(i);
    }
    const Solution solution = from_routes(routes);
    const std::string svg = svg_picture(instance, &solution);
    const std::size_t rows = occurrences(svg, "<line");
    EXPECT_EQ(occurrences(svg, " / 42</text>"), rows);
    const bool all = rows == to_routes(solution).size();
    EXPECT_EQ(svg.find("more routes") == std::string::npos, all);
    EXPECT_EQ(all, size == 3U);
    const double length = 2 * instance.distance(kDepot, NodeId(1));
    if (!all) {
      EXPECT_NE(svg.find(">" + fixed(length) + "</text>"), std::string::npos) << fixed(length);
    }
  }
}

TEST(Svg, NamesStandBesideFewNodes) {
  Instance instance;
  instance.points = {{0, 0}, {3, 0}, {0, 4}};
  instance.names = {"A", "B & C", "D"};
  EXPECT_NE(svg_picture(instance, nullptr).find(">B &amp; C</text>"), std::string::npos);
}

TEST(Svg, OpenRoutesAreNotClosed) {
  Instance instance;
  instance.points = {{0, 0}, {0, 1}, {1, 0}};
  instance.metric = Metric::matrix;
  instance.matrix = {0, 1, 1, 0, 0, 2, 0, 2, 0};
  instance.open = Open::end;
  const Solution tour{{NodeId(2), NodeId(0), NodeId(1)}};
  EXPECT_NE(svg_picture(instance, &tour).find("d=\"M30 1044 30 84 990 1044\""), std::string::npos);
}

TEST(Svg, TitleHasNameCostAndGap) {
  Instance instance;
  instance.name = "a <b> & c";
  instance.points = {{0, 0}, {3, 0}, {0, 4}};
  instance.reference_cost = 10;
  const Solution tour = in_file_order(instance);
  const std::string svg = svg_picture(instance, &tour);
  EXPECT_NE(svg.find("a &lt;b> &amp; c"), std::string::npos);
  EXPECT_NE(svg.find("cost 12"), std::string::npos);
  EXPECT_NE(svg.find("gap +20.00%"), std::string::npos);
}

TEST(Svg, UpIsUp) {
  Instance instance;
  instance.points = {{0, 0}, {0, 1}, {1, 0}};
  const Solution tour = in_file_order(instance);
  // The second point is above the first: a smaller y on the canvas, where y grows downwards.
  EXPECT_NE(svg_picture(instance, &tour).find("d=\"M30 1044 30 84 990 1044Z\""), std::string::npos);
}

TEST(Svg, GrowsSlowlyWithTheNumberOfNodes) {
  const Instance instance = instance_of(ProblemKind::tsp, 100'000);
  Solution tour;
  tour.sequence = canonical_order(instance, Ordering::hilbert);
  EXPECT_LT(svg_picture(instance, &tour).size(), 1'300'000U);
  EXPECT_LT(svg_picture(instance, nullptr).size(), 400'000U) << "the cloud of nodes is thinned";
}

TEST(Svg, SurvivesDegenerateInstances) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  for (const std::vector<Point>& points :
       {std::vector<Point>{{5, 5}}, std::vector<Point>(10, Point{1, 1}),
        std::vector<Point>{{-kHuge, 0}, {kHuge, 0}}, std::vector<Point>{{0, 0}, {0, 1}, {0, 2}}}) {
    Instance instance;
    instance.points = points;
    const std::string svg = svg_picture(instance, nullptr);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Svg, RefusesABareMatrixAndAnInfeasibleSolution) {
  Instance matrix;
  matrix.metric = Metric::matrix;
  matrix.matrix = {0, 1, 1, 0};
  EXPECT_THROW((void)svg_picture(matrix, nullptr), Error);

  const Instance instance = instance_of(ProblemKind::tsp, 5);
  Solution tour = in_file_order(instance);
  tour.sequence.pop_back();
  EXPECT_THROW((void)svg_picture(instance, &tour), std::logic_error);
}

}  // namespace
}  // namespace eco::io
