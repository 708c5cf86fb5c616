#include <eco/solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"
#include "paths.h"
#include "solver/fallback.h"

namespace eco {
namespace {

using Points = std::vector<Problem::Point>;

// What the policy builds, and nothing else.
Solver::Options by_policy() {
  Solver::Options options;
  options.method = "policy";
  return options;
}

Problem deliveries(const Points& points, std::span<const std::int64_t> demands,
                   std::int64_t capacity) {
  return Problem::on_plane(points).deliver(demands, capacity);
}

Points random_points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> side(0, 100);
  Points points(count);
  for (auto& point : points) point = {side(random), side(random)};
  return points;
}

double length(const Points& points, std::span<const std::uint32_t> tour) {
  double sum = 0;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    const auto &a = points[tour[i]], &b = points[tour[(i + 1) % tour.size()]];
    sum += std::hypot(a[0] - b[0], a[1] - b[1]);
  }
  return sum;
}

// Every node from `first` on, once.
bool visits_each_once(std::vector<std::uint32_t> nodes, std::size_t count,
                      std::uint32_t first = 0) {
  std::sort(nodes.begin(), nodes.end());
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), first);
  return nodes == all;
}

std::string weights_file(const std::string& problem) {
  return test_weights_path(problem);
}

TEST(Solver, ToursVisitEveryNodeAndCostWhatTheyAreLong) {
  const Solver solver;
  ASSERT_TRUE(solver.has_policy(Problem::on_plane(random_points(3, 3))));
  for (const std::size_t nodes : {1U, 2U, 3U, 4U, 50U}) {
    const Points points = random_points(nodes, 3);
    const auto result = solver.solve(Problem::on_plane(points), by_policy());
    EXPECT_TRUE(visits_each_once(result.routes[0], nodes)) << nodes;
    EXPECT_NEAR(result.cost, length(points, result.routes[0]), 1e-9) << nodes;
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.loads.empty());
  }
}

TEST(Solver, PlacesOnTheEarthAreMetresApart) {
  const Solver solver;
  // Four corners of a degree at the equator, and a fifth place between two of them.
  const std::vector<Problem::Point> places{{0, 10}, {1, 10}, {1, 11}, {0.5, 11}, {0, 11}};
  for (const char* method : {"auto", "policy"}) {
    Solver::Options options;
    options.method = method;
    options.iterations = method == std::string("auto") ? 100 : 0;
    const auto result = solver.solve(Problem::on_earth(places), options);
    EXPECT_TRUE(visits_each_once(result.routes[0], places.size()));
    EXPECT_NEAR(result.cost, 4 * 111'195, 30) << "a degree of a great circle is 111.195 km";
  }
  const std::vector<Problem::Point> wrong{{0, 0}, {91, 0}};
  EXPECT_THROW((void)Problem::on_earth(wrong), Error);
}

TEST(Solver, RoutesServeEveryCustomerWithinTheCapacity) {
  const Solver solver;
  const Points points = random_points(61, 4);
  std::vector<std::int64_t> demands(points.size(), 0);
  for (std::size_t i = 1; i < demands.size(); ++i) demands[i] = 1 + static_cast<int>(i) % 7;
  const auto result = solver.solve(deliveries(points, demands, 20), by_policy());
  std::vector<std::uint32_t> served;
  double cost = 0;
  for (const auto& route : result.routes) {
    std::int64_t load = 0;
    for (const std::uint32_t customer : route) load += demands[customer];
    EXPECT_LE(load, 20);
    served.insert(served.end(), route.begin(), route.end());
    std::vector<std::uint32_t> closed{0};
    closed.insert(closed.end(), route.begin(), route.end());
    cost += length(points, closed);
  }
  EXPECT_TRUE(visits_each_once(served, 60, 1));
  EXPECT_NEAR(result.cost, cost, 1e-9);
}

TEST(Solver, WeightsFromAFileFromMemoryAndFromInsideGiveTheSame) {
  const Points points = random_points(40, 5);
  const auto inside = Solver().solve(Problem::on_plane(points), by_policy());
  const Solver from_file(weights_file("tsp"));
  EXPECT_EQ(from_file.solve(Problem::on_plane(points), by_policy()).routes[0], inside.routes[0]);
  EXPECT_FALSE(from_file.has_policy(Problem::on_plane(points).deliver({}, 1)));
  std::ifstream in(weights_file("tsp"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const Solver from_memory(std::as_bytes(std::span(bytes.data(), bytes.size())));
  EXPECT_EQ(from_memory.solve(Problem::on_plane(points), by_policy()).routes[0], inside.routes[0]);
}

TEST(Solver, MoreSamplesAreNeverWorseAndRefinementNeverLengthens) {
  const Solver solver;
  const Points points = random_points(60, 6);
  Solver::Options options = by_policy();
  options.decode = "sample:2";
  const double two = solver.solve(Problem::on_plane(points), options).cost;
  options.decode = "sample:16";
  const double sixteen = solver.solve(Problem::on_plane(points), options).cost;
  EXPECT_LE(sixteen, two);
  options.refine = true;
  const auto refined = solver.solve(Problem::on_plane(points), options);
  EXPECT_EQ(refined.made_cost, sixteen);
  EXPECT_LT(refined.cost, sixteen) << "untrained weights leave much to improve";
  EXPECT_NEAR(refined.cost, length(points, refined.routes[0]), 1e-9);
}

TEST(Solver, ProgressGrowsToTheWholeAndEndsWithRefinement) {
  const Solver solver;
  Solver::Options options = by_policy();
  options.decode = "sample:3";
  options.refine = true;
  options.threads = 2;
  std::vector<Solver::Progress> told;
  options.progress = [&](const Solver::Progress& progress) { told.push_back(progress); };
  (void)solver.solve(Problem::on_plane(random_points(200, 7)), options);
  ASSERT_GT(told.size(), 5U);
  double last = 0;
  for (std::size_t i = 0; i + 2 < told.size(); ++i) {
    EXPECT_EQ(told[i].phase, Solver::Phase::construct);
    EXPECT_GE(told[i].share, last);
    last = told[i].share;
  }
  EXPECT_EQ(last, 1);
  EXPECT_EQ(told.back().phase, Solver::Phase::refine);
  EXPECT_EQ(told.back().share, 1);
  EXPECT_GT(told.back().cost, 0);
}

TEST(Solver, WhatTheProgressThrowsEndsTheCall) {
  const Solver solver;
  Solver::Options options = by_policy();
  options.progress = [](const Solver::Progress&) { throw std::runtime_error("enough"); };
  const Points points = random_points(100, 8);
  EXPECT_THROW((void)solver.solve(Problem::on_plane(points), options), std::runtime_error);
  EXPECT_TRUE(visits_each_once(solver.solve(Problem::on_plane(points), by_policy()).routes[0], 100))
      << "and leaves it usable";
}

TEST(Solver, CancelledInTheMiddleGivesAWholeTour) {
  const Solver solver;
  const Points points = random_points(2000, 9);
  std::stop_source stop;
  Solver::Options options = by_policy();
  options.cancel = stop.get_token();
  options.refine = true;
  double done = 0;
  options.progress = [&](const Solver::Progress& progress) {
    if (progress.share < 1) done = progress.share;
    stop.request_stop();
  };
  const auto result = solver.solve(Problem::on_plane(points), options);
  EXPECT_FALSE(result.complete);
  EXPECT_LT(done, 0.5) << "it stopped soon after it was told to";
  EXPECT_TRUE(visits_each_once(result.routes[0], 2000));
  EXPECT_EQ(result.cost, result.made_cost) << "no refinement after a cancellation";
}

TEST(Solver, OptionsThatMakeNoSenseAreRefused) {
  const Solver solver;
  const Points points = random_points(50, 10);
  std::vector<std::int64_t> demands(points.size(), 3);
  demands[0] = 0;
  const auto refused = [&](const Solver::Options& options) {
    std::size_t count = 0;
    for (const bool cvrp : {false, true}) {
      try {
        (void)(cvrp ? solver.solve(deliveries(points, demands, 10), options)
                    : solver.solve(Problem::on_plane(points), options));
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::usage) ++count;
      }
    }
    return count == 2;
  };
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  for (const std::size_t number : {kHuge, kHuge - 1, std::size_t{100'000'001}}) {
    Solver::Options options = by_policy();
    options.candidates = number;
    EXPECT_TRUE(refused(options)) << "candidates " << number;
    options = by_policy();
    options.threads = number;
    EXPECT_TRUE(refused(options)) << "threads " << number;
  }
  for (const double seconds : {-1.0, -1e-9, -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
    Solver::Options options = by_policy();
    options.time_limit = seconds;
    EXPECT_TRUE(refused(options)) << seconds;
  }
}

TEST(Solver, ALimitBeyondTheClockIsNone) {
  const Solver solver;
  const Points points = random_points(50, 10);
  const auto whole = solver.solve(Problem::on_plane(points), by_policy());
  for (const double seconds : {1e10, 1e300, std::numeric_limits<double>::infinity()}) {
    Solver::Options options = by_policy();
    options.time_limit = seconds;
    const auto result = solver.solve(Problem::on_plane(points), options);
    EXPECT_TRUE(result.complete) << seconds;
    EXPECT_EQ(result.routes[0], whole.routes[0]) << seconds;
  }
}

// Untrained weights are much longer than any of these.
TEST(Fallback, IsANearestNeighboursSolutionOrBetterIfThereIsTimeForIt) {
  Instance instance;
  for (const auto& point : random_points(500, 11)) instance.points.push_back({point[0], point[1]});
  const double nearest =
      require_feasible(instance, construct(instance, ConstructMethod::nearest_neighbour, 3));
  Solution solution = curve_solution(instance);
  std::reverse(solution.sequence.begin(), solution.sequence.begin() + 250);
  double cost = 10 * nearest;
  EXPECT_TRUE(Fallback(instance, 3, Deadline::after(1e6)).replace(solution, cost));
  EXPECT_LE(cost, nearest * (1 + 1e-12));
  EXPECT_EQ(cost, require_feasible(instance, solution));
  EXPECT_FALSE(Fallback(instance, 3, Deadline::after(1e6)).replace(solution, cost))
      << "which is no shorter than itself";
  cost = 10 * nearest;
  EXPECT_TRUE(Fallback(instance, 3, {}).replace(solution, cost));
  EXPECT_EQ(solution, curve_solution(instance)) << "made when it is asked for, in no time";
}

TEST(Solver, OutOfTimeGivesAWholeTour) {
  const Solver solver;
  Solver::Options options = by_policy();
  options.time_limit = 1e-6;
  const auto result = solver.solve(Problem::on_plane(random_points(3000, 10)), options);
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(visits_each_once(result.routes[0], 3000));
}

// Under the thread sanitizer this is also a test of what the calls share.
TEST(Solver, ServesSeveralThreadsWithTheResultsOfOne) {
  const Solver solver;
  constexpr std::size_t kThreads = 4, kCalls = 6;
  const auto solve = [&](std::size_t caller, std::size_t call) {
    Solver::Options options = by_policy();
    options.threads = 1 + caller % 2;
    options.decode = call % 2 == 0 ? "greedy" : "sample:2";
    const Points points = random_points(20 + 10 * call, static_cast<unsigned>(call));
    if (caller % 2 == 0) return solver.solve(Problem::on_plane(points), options).cost;
    std::vector<std::int64_t> demands(points.size(), 3);
    demands[0] = 0;
    return solver.solve(deliveries(points, demands, 10), options).cost;
  };
  std::vector<std::vector<double>> costs(kThreads, std::vector<double>(kCalls));
  std::vector<std::jthread> callers;
  for (std::size_t caller = 0; caller < kThreads; ++caller) {
    callers.emplace_back([&, caller] {
      for (std::size_t call = 0; call < kCalls; ++call) costs[caller][call] = solve(caller, call);
    });
  }
  callers.clear();
  for (std::size_t caller = 0; caller < kThreads; ++caller) {
    for (std::size_t call = 0; call < kCalls; ++call) {
      EXPECT_EQ(costs[caller][call], solve(caller, call)) << caller << " " << call;
    }
  }
}

TEST(Solver, SaysWhatIsWrong) {
  const Solver solver;
  const Points points = random_points(5, 1);
  const auto kind_of = [](const auto& call) -> int {
    try {
      (void)call();
    } catch (const Error& error) {
      return error.exit_code();
    }
    return 0;
  };
  Solver::Options options = by_policy();
  options.decode = "sample";
  EXPECT_EQ(kind_of([&] { return solver.solve(Problem::on_plane(points), options); }), 2);
  options.decode = "greedy";
  options.effort = "quick";
  EXPECT_EQ(kind_of([&] { return solver.solve(Problem::on_plane(points), options); }), 2);
  EXPECT_EQ(kind_of([&] { return solver.solve(Problem::on_plane(Points{}), by_policy()); }), 3);
  const Points odd{{0, 0}, {std::nan(""), 1}};
  EXPECT_EQ(kind_of([&] { return solver.solve(Problem::on_plane(odd), by_policy()); }), 3);
  const std::vector<std::int64_t> demands{0, 1, 1, 99, 1}, few{0, 1};
  EXPECT_EQ(kind_of([&] { return solver.solve(deliveries(points, demands, 10), by_policy()); }), 3);
  EXPECT_EQ(kind_of([&] { return solver.solve(deliveries(points, few, 10), by_policy()); }), 3);
  EXPECT_EQ(kind_of([&] {
              return Solver(weights_file("tsp")).solve(deliveries(points, few, 10), by_policy());
            }),
            3);
  EXPECT_EQ(kind_of([&] { return Solver(weights_file("none")); }), 3);
}

}  // namespace
}  // namespace eco
