// Several threads for one solve, and a fleet with a limit.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/expert/expert.h"
#include "core/instance/distance.h"
#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "core/search/cvrp_instances.h"
#include "problems/cvrp/expert/fleet_reduction.h"
#include "problems/cvrp/expert/route_groups.h"
#include "problems/cvrp/expert/solve_cvrp.h"
#include "problems/tsp/expert/search_team.h"

namespace eco {
namespace {

using testing::cvrp_instance;
using testing::tsp_instance;

Solution solve_by(const Instance& instance, std::size_t iterations, std::size_t threads) {
  ExpertOptions options;
  options.iterations = iterations;
  options.threads = threads;
  return expert_named("auto", instance.kind).solve(instance, options);
}

// Small and large: each for itself, and all on one tour or on groups of routes.
TEST(Threads, GiveTheSameForTheSameSeedIterationsAndThreads) {
  for (const Instance& instance :
       {tsp_instance(150, 0, 1), tsp_instance(1300, 1, 2), testing::random_matrix(1100, 3),
        cvrp_instance(60, 0, 4), cvrp_instance(350, 0, 5),
        testing::with_demands(testing::random_matrix(301, 6), 0, 6)}) {
    const Solution two = solve_by(instance, 3'000, 2);
    EXPECT_TRUE(check(instance, two).feasible) << check(instance, two).reason;
    EXPECT_EQ(solve_by(instance, 3'000, 2), two);
  }
}

// Steps are shared out, so as many of them find as much as one thread does, and more than half.
TEST(Threads, OfALargeInstanceDoTheWorkOfOne) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    double one = 0, two = 0, half = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Instance instance =
          kind == ProblemKind::tsp ? tsp_instance(1500, 0, seed) : cvrp_instance(400, 0, seed);
      const std::size_t steps = 20 * instance.size();
      one += check(instance, solve_by(instance, steps, 1)).cost;
      two += check(instance, solve_by(instance, steps, 2)).cost;
      half += check(instance, solve_by(instance, steps / 2, 1)).cost;
    }
    EXPECT_LT(two, half);
    EXPECT_LT(two, 1.01 * one);
  }
}

TEST(Threads, KnowTheLengthOfTheirTourAfterRepeatingEachOthersSteps) {
  const Instance instance = tsp_instance(1200, 0, 7);
  with_distance(instance, [&](auto distance) {
    const NeighbourLists neighbours(instance, 8);
    std::vector<std::uint32_t> order(instance.size());
    std::iota(order.begin(), order.end(), 0U);
    IteratedSearch one(distance, neighbours, NoTies{}, order, 1);
    ASSERT_TRUE(one.settle({}));
    IteratedSearch other(one, 2);
    const auto half_gone = [](std::uint64_t) { return 0.5; };
    one.run_in(order, 2'000, half_gone);  // the same part of the nodes: many steps do not fit
    other.run_in(order, 2'000, half_gone);
    ASSERT_FALSE(other.kept().steps.empty());
    const double before = one.best_length();
    one.repeat(other.kept());
    EXPECT_NE(one.best_length(), before);
    one.keep_if_best();
    one.return_to_best();
    Solution tour;
    for (const std::uint32_t node : one.order()) tour.sequence.emplace_back(node);
    const CheckResult judged = check(instance, tour);
    ASSERT_TRUE(judged.feasible) << judged.reason;
    EXPECT_NEAR(one.best_length(), judged.cost, 1e-9 * judged.cost);
  });
}

TEST(RouteGroups, HaveEveryRouteOnceAndAboutAsManyCustomers) {
  const Instance instance = cvrp_instance(400, 0, 8);
  CvrpExpertOptions options;
  options.iterations = 64;
  const Solution solution = solve_cvrp(instance, options);
  const DistanceTable distance(instance);
  const RouteGroups grouping(instance, distance);
  Rng rng(1);
  const std::size_t all = to_routes(solution).size();
  for (const std::size_t groups : {std::size_t{1}, std::size_t{3}, all, all + 5}) {
    for (std::uint64_t round = 0; round < 6; ++round) {
      const auto parts = grouping.split(to_routes(solution), groups, round, rng);
      EXPECT_EQ(parts.size(), std::min(groups, all));
      Routes together;
      for (const Routes& part : parts) {
        ASSERT_FALSE(part.empty());
        together.insert(together.end(), part.begin(), part.end());
      }
      EXPECT_EQ(together.size(), all);
      EXPECT_TRUE(check(instance, from_routes(together)).feasible);
      if (groups != 3) continue;
      for (const Routes& part : parts) {
        std::size_t customers = 0;
        for (const Route& route : part) customers += route.size();
        EXPECT_NEAR(static_cast<double>(customers), 400.0 / 3, 40);
      }
    }
  }
}

// 40 customers that fill nine tenths of the vehicles that there must be at least.
TEST(FleetLimit, IsKeptWhereTheDemandsCanBePacked) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Instance instance = cvrp_instance(40, 0, seed);
    Rng rng(seed);
    instance.capacity = 100;
    std::int64_t left = 900;
    for (std::size_t i = 1; i <= 40; ++i) {
      instance.demands[i] = i < 40 ? std::min<std::int64_t>(left, rng.between(10, 35)) : left;
      if (instance.demands[i] > 100) instance.demands[i] = 20;
      left -= instance.demands[i];
    }
    instance.vehicles = fewest_vehicles(instance) + 1;
    for (const std::size_t threads : {1U, 2U}) {
      const CheckResult judged = check(instance, solve_by(instance, 20'000, threads));
      EXPECT_TRUE(judged.feasible) << judged.reason << ", seed " << seed;
    }
  }
}

// Two places on either side of the depot, two and a half vehicles each: five do if one serves both,
// which is no shorter than the six of the start.
TEST(FleetLimit, IsKeptByTheSearchThatFollows) {
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  instance.capacity = 100;
  instance.points.push_back({0, 0});
  for (int i = 0; i < 50; ++i) {
    instance.points.push_back({(i % 2 == 0 ? 1000.0 : -1000.0) + i / 10, i % 10 + 0.5 * (i % 3)});
  }
  instance.demands.assign(51, 10);
  instance.demands[0] = 0;
  ASSERT_EQ(fewest_vehicles(instance), 5U);
  Routes six(6);
  for (std::size_t i = 0; i < 50; ++i) six[i % 2 * 3 + i / 20].emplace_back(i + 1);
  const Solution start = from_routes(six);
  ASSERT_EQ(check(instance, start).routes, 6U);
  instance.vehicles = 5;
  for (const std::size_t threads : {1U, 2U}) {
    CvrpExpertOptions options;
    options.iterations = 20'000;
    options.threads = threads;
    options.start = &start;
    const CheckResult judged = check(instance, solve_cvrp(instance, options));
    EXPECT_TRUE(judged.feasible) << judged.reason;
  }
}

TEST(FleetLimit, ThatCannotBeMetGivesTheFewestRoutesThatWereFound) {
  Instance instance = cvrp_instance(9, 0, 1);
  instance.capacity = 10;
  std::fill(instance.demands.begin() + 1, instance.demands.end(), 6);  // no two fit together
  instance.vehicles = 6;
  const CheckResult judged = check(instance, solve_by(instance, 2'000, 1));
  EXPECT_TRUE(judged.lacks_vehicles);
  EXPECT_EQ(judged.routes, 9U);
}

}  // namespace
}  // namespace eco
