// The search behind eco::Solver: what users get by default.

#include <eco/solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/base/error.h"

namespace eco {
namespace {

using Places = std::vector<Problem::Point>;

Places scattered(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> side(0, 100);
  Places points(count);
  for (auto& point : points) point = {side(random), side(random)};
  return points;
}

std::vector<double> lengths_between(const Places& points) {
  std::vector<double> lengths;
  for (const auto& a : points) {
    for (const auto& b : points) lengths.push_back(std::hypot(a[0] - b[0], a[1] - b[1]));
  }
  return lengths;
}

Solver::Options with_steps(std::uint64_t iterations, std::size_t threads = 1) {
  Solver::Options options;
  options.iterations = iterations;
  options.threads = threads;
  return options;
}

TEST(Auto, IsNeverWorseThanThePolicyOrAConstructionAndTellsItsRecord) {
  const Solver solver;
  const Places points = scattered(120, 1);
  const Problem tour = Problem::on_plane(points);
  Problem plan = tour;
  const std::vector<std::int64_t> demands = [] {
    std::vector<std::int64_t> all(120, 3);
    all[0] = 0;
    return all;
  }();
  plan.deliver(demands, 20);
  for (const Problem& problem : {tour, plan}) {
    const auto best = solver.solve(problem, with_steps(5'000));
    Solver::Options options;
    for (const char* method : {"policy", "nn"}) {
      options.method = method;
      EXPECT_LT(best.cost, solver.solve(problem, options).cost) << method;
    }
    EXPECT_EQ(std::accumulate(best.loads.begin(), best.loads.end(), std::int64_t{0}),
              best.loads.empty() ? 0 : 119 * 3);
    ASSERT_FALSE(best.record.empty());
    EXPECT_NEAR(best.record.back().cost, best.cost, 1e-9 * best.cost);
    for (std::size_t i = 1; i < best.record.size(); ++i) {
      EXPECT_LT(best.record[i].cost, best.record[i - 1].cost);
      EXPECT_GE(best.record[i].seconds, best.record[i - 1].seconds);
    }
  }
}

TEST(Auto, IsAFunctionOfSeedStepsAndThreads) {
  const Solver solver;
  const Problem problem = Problem::on_plane(scattered(80, 2));
  for (const std::size_t threads : {1U, 2U}) {
    const auto one = solver.solve(problem, with_steps(3'000, threads));
    EXPECT_EQ(solver.solve(problem, with_steps(3'000, threads)).routes, one.routes);
  }
}

TEST(Auto, SaysHowLongItAllowedItself) {
  const Solver solver;
  EXPECT_EQ(solver.solve(Problem::on_plane(scattered(5, 3))).time_limit, 0.1);
  Solver::Options options;
  options.time_limit = 0.05;
  EXPECT_EQ(solver.solve(Problem::on_plane(scattered(50, 3)), options).time_limit, 0.05);
}

TEST(Auto, SolvesMatricesTheSameAsTheirPoints) {
  const Solver solver;
  const Places points = scattered(9, 4);
  const auto by_points = solver.solve(Problem::on_plane(points), with_steps(2'000));
  const auto by_matrix =
      solver.solve(Problem::by_matrix(9, lengths_between(points)), with_steps(2'000));
  EXPECT_NEAR(by_matrix.cost, by_points.cost, 1e-9);
  EXPECT_THROW((void)Problem::by_matrix(8, lengths_between(points)), Error);
}

// Out along the line and never home: one route of all, in order.
TEST(Auto, OpenRoutesNeedNoWayHome) {
  const Places line{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}};
  std::vector<double> lengths = lengths_between(line);
  for (std::size_t i = 0; i < 5; ++i) lengths[i * 5] = 0;
  Problem problem = Problem::by_matrix(5, lengths);
  problem.deliver(std::vector<std::int64_t>{0, 1, 1, 1, 1}, 10);
  const auto result = Solver().solve(problem, with_steps(2'000));
  EXPECT_EQ(result.cost, 4);
  EXPECT_EQ(result.routes, (std::vector<std::vector<std::uint32_t>>{{1, 2, 3, 4}}));
  EXPECT_EQ(result.loads, std::vector<std::int64_t>{4});
}

TEST(Auto, NeverMakesAStartLonger) {
  const Solver solver;
  const Problem problem = Problem::on_plane(scattered(60, 5));
  const auto good = solver.solve(problem, with_steps(20'000));
  Solver::Options options = with_steps(1);
  options.start = good.routes;
  EXPECT_LE(solver.solve(problem, options).cost, good.cost * (1 + 1e-12));
  options.start[0].pop_back();
  EXPECT_THROW((void)solver.solve(problem, options), Error);
  options.start = {{0, 1}, {2}};
  EXPECT_THROW((void)solver.solve(problem, options), Error);
  options = {};
  options.method = "policy";
  options.start = good.routes;
  EXPECT_THROW((void)solver.solve(problem, options), Error);
}

TEST(Auto, KeepsAFleetOrSaysThatItIsTooSmall) {
  const Solver solver;
  const Places points = scattered(31, 6);
  std::vector<std::int64_t> demands(31, 1);
  demands[0] = 0;
  Problem problem = Problem::on_plane(points);
  problem.deliver(demands, 10).limit_vehicles(3);
  const auto enough = solver.solve(problem, with_steps(10'000));
  EXPECT_FALSE(enough.lacks_vehicles);
  EXPECT_EQ(enough.routes.size(), 3U);
  Problem other = problem;
  other.limit_vehicles(2);
  const auto lacking = solver.solve(other, with_steps(2'000));
  EXPECT_TRUE(lacking.lacks_vehicles);
  EXPECT_EQ(lacking.routes.size(), 3U) << "the fewest that there can be";
  EXPECT_FALSE(solver.solve(problem, with_steps(2'000)).lacks_vehicles)
      << "a copy is changed by itself";
}

TEST(Auto, CanBeCancelledAtAnyTime) {
  const Solver solver;
  std::stop_source stop;
  Solver::Options options;
  options.time_limit = 1e6;
  options.cancel = stop.get_token();
  std::size_t told = 0;
  options.progress = [&](const Solver::Progress& progress) {
    EXPECT_EQ(progress.phase, Solver::Phase::search);
    EXPECT_GT(progress.cost, 0);
    if (++told == 20) stop.request_stop();
  };
  const auto result = solver.solve(Problem::on_plane(scattered(300, 7)), options);
  EXPECT_EQ(result.routes[0].size(), 300U);
}

TEST(Auto, RefusesAMethodThatDoesNotExist) {
  Solver::Options options;
  options.method = "magic";
  EXPECT_THROW((void)Solver().solve(Problem::on_plane(scattered(5, 1)), options), Error);
}

}  // namespace
}  // namespace eco
