#include "core/expert/adapter/problem_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/instance/distance.h"

namespace eco {
namespace {

constexpr SolverDialect kEverything{
    .ceil_2d = true, .floor_2d = true, .att = true, .geo = true, .matrix = true};
constexpr SolverDialect kMatrixOnly{.matrix = true};

Instance random_instance(std::size_t nodes, double side) {
  Instance instance;
  Rng rng(3);
  for (std::size_t i = 0; i < nodes; ++i) {
    instance.points.push_back({rng.uniform(0, side), rng.uniform(0, side)});
  }
  return instance;
}

bool contains(const ProblemFile& file, const std::string& part) {
  return file.text.find(part) != std::string::npos;
}

std::vector<std::int64_t> weights(const ProblemFile& file, std::size_t nodes) {
  std::istringstream in(file.text.substr(file.text.find("EDGE_WEIGHT_SECTION\n") + 20));
  std::vector<std::int64_t> values(nodes * nodes);
  for (auto& value : values) in >> value;
  EXPECT_TRUE(in) << file.text;
  return values;
}

TEST(ProblemFile, StatesEachMetricByItsTsplibNameWhereTheSolverKnowsIt) {
  Instance instance = random_instance(8, 90);
  const std::vector<std::pair<Rounding, std::string>> names{{Rounding::nint, "EUC_2D"},
                                                            {Rounding::ceil, "CEIL_2D"},
                                                            {Rounding::trunc, "FLOOR_2D"},
                                                            {Rounding::dimacs, "FLOOR_2D"},
                                                            {Rounding::none, "EUC_2D"}};
  for (const auto& [rounding, name] : names) {
    instance.rounding = rounding;
    EXPECT_TRUE(contains(problem_file(instance, kEverything), "EDGE_WEIGHT_TYPE : " + name + "\n"))
        << name;
  }
  instance.metric = Metric::att;
  EXPECT_TRUE(contains(problem_file(instance, kEverything), "EDGE_WEIGHT_TYPE : ATT\n"));
  instance.metric = Metric::geo;
  EXPECT_TRUE(contains(problem_file(instance, kEverything), "EDGE_WEIGHT_TYPE : GEO\n"));
}

TEST(ProblemFile, FallsBackToAMatrixOfTheSameDistances) {
  Instance instance = random_instance(9, 500);
  for (const Rounding rounding : {Rounding::ceil, Rounding::trunc, Rounding::dimacs}) {
    instance.rounding = rounding;
    const auto seen = weights(problem_file(instance, kMatrixOnly), 9);
    const double unit = rounding == Rounding::dimacs ? 10 : 1;
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < 9; ++j) {
        const double expected = instance.distance(NodeId(i), NodeId(j));
        EXPECT_NEAR(static_cast<double>(seen[i * 9 + j]), unit * expected, 1e-6);
      }
    }
  }
}

TEST(ProblemFile, ScalesARealMatrix) {
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix = {0, 0.25, 1.0 / 3, 0.25, 0, 0.5, 1.0 / 3, 0.5, 0};
  const auto seen = weights(problem_file(instance, kMatrixOnly), 3);
  const double scale = static_cast<double>(seen[5]) / 0.5;
  EXPECT_GT(scale, 1e6);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(static_cast<double>(seen[i]) / scale, instance.matrix[i], 1e-6);
  }
}

TEST(ProblemFile, KeepsTourLengthsWithin32Bits) {
  const Instance instance = random_instance(200'000, 1);
  const ProblemFile file = problem_file(instance, kEverything);
  // A tour of random points is about 0.7124 sqrt(n A); the file's own unit is longest / sqrt(2).
  const double unit = file.longest / std::sqrt(2.0);
  EXPECT_LT(0.7124 * std::sqrt(200'000.0) * unit, 2147483647.0);
  EXPECT_GT(unit, 1e5);
}

TEST(ProblemFile, NeverStatesADistanceAboveItsLongest) {
  Instance instance = random_instance(30, 12345);
  instance.rounding = Rounding::ceil;
  for (const auto& dialect : {kEverything, kMatrixOnly}) {
    const ProblemFile file = problem_file(instance, dialect);
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_LE(instance.distance(NodeId(i), NodeId(j)), file.longest);
      }
    }
  }
}

TEST(ProblemFile, RefusesWhatASolverCannotRead) {
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix = {0, 1, 2, 3, 0, 4, 2, 4, 0};
  EXPECT_THROW((void)problem_file(instance, kMatrixOnly), Error);  // not symmetric
  instance.matrix = {0, 1, 2, 1, 0, 4, 2, 4, 0};
  EXPECT_NO_THROW((void)problem_file(instance, kMatrixOnly));
  EXPECT_THROW((void)problem_file(instance, SolverDialect{.exact_side = 1000}), Error);
  Instance large = random_instance(kMaxMatrixNodes + 1, 10);
  large.rounding = Rounding::trunc;
  EXPECT_THROW((void)problem_file(large, kMatrixOnly), Error);
}

TEST(ProblemFile, StandsTwoPointsOnOneSpot) {
  Instance instance;
  instance.points.assign(5, Point{0.3, 0.3});
  EXPECT_TRUE(contains(problem_file(instance, kEverything), "5 0 0\n"));
}

}  // namespace
}  // namespace eco
