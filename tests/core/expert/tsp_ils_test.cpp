#include "problems/tsp/expert/ils.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/instance/distance.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"
#include "core/search/local_search.h"
#include "core/search/tsp_instances.h"
#include "problems/tsp/expert/greedy.h"
#include "problems/tsp/expert/or_opt.h"
#include "problems/tsp/expert/reduced_instance.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::random_matrix;
using testing::tsp_instance;

IlsOptions with_iterations(std::uint64_t iterations, std::uint64_t seed = 1) {
  IlsOptions options;
  options.iterations = iterations;
  options.seed = seed;
  return options;
}

double best_by_brute_force(const Instance& instance) {
  std::vector<std::size_t> order(instance.size());
  std::iota(order.begin(), order.end(), 0U);
  double best = std::numeric_limits<double>::infinity();
  do {
    Solution tour;
    for (const std::size_t node : order) tour.sequence.emplace_back(node);
    best = std::min(best, check(instance, tour).cost);
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return best;
}

TEST(TspExpert, FindsTheBestTourOfSmallInstances) {
  for (std::uint64_t seed = 0; seed < 7 * kShapes; ++seed) {
    const std::size_t nodes = 1 + seed / kShapes;
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed)}) {
      const CheckResult judged = check(instance, solve_tsp(instance, with_iterations(200)));
      ASSERT_TRUE(judged.feasible) << judged.reason;
      const double best = best_by_brute_force(instance);
      ASSERT_NEAR(judged.cost, best, 1e-9 * best) << nodes << " nodes, seed " << seed;
    }
  }
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Instance instance = tsp_instance(8, seed, seed);
    EXPECT_NEAR(check(instance, solve_tsp(instance)).cost, best_by_brute_force(instance), 1e-9);
  }
}

TEST(TspExpert, ToursAreFeasibleForEveryShapeAndSize) {
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    const std::size_t nodes = 1 + seed;
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed)}) {
      const CheckResult judged = check(instance, solve_tsp(instance, with_iterations(50)));
      ASSERT_TRUE(judged.feasible) << judged.reason;
    }
  }
}

TEST(TspExpert, IsNotWorseThanInsertionAndLocalSearch) {
  double expert = 0, searched = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Instance instance = tsp_instance(300, seed % 2, seed);
    expert += check(instance, solve_tsp(instance)).cost;
    Solution tour = construct(instance, ConstructMethod::farthest_insertion, seed);
    LocalSearchOptions options;
    options.mode = SearchMode::full;
    searched += local_search(instance, tour, options).after;
  }
  EXPECT_LT(expert, 0.985 * searched);
}

TEST(TspExpert, DependsOnTheSeedOnly) {
  const Instance instance = tsp_instance(150, 0, 5);
  std::vector<Solution> tours(6);
  ThreadPool pool(3);
  pool.parallel_for(tours.size(), [&](std::size_t i, std::size_t) {
    tours[i] = solve_tsp(instance, with_iterations(300, i % 2));
  });
  for (std::size_t i = 2; i < tours.size(); ++i) EXPECT_EQ(tours[i], tours[i % 2]);
}

// A greedy tour, settled.
Solution local_optimum(const Instance& instance) {
  const ReducedInstance reduced(instance, ForcedPaths(instance, {}));
  if (reduced.instance().size() < 4) return solve_tsp(instance);
  const NeighbourLists neighbours(reduced.instance(), 8);
  return with_distance(reduced.instance(), [&](auto distance) {
    OrOpt search(distance, neighbours);
    search.tour().assign(greedy_tour(reduced.instance(), neighbours));
    const Solution greedy = reduced.expand(search.tour().order());
    search.set_tolerance(1e-13 * check(instance, greedy).cost);
    for (const std::uint32_t node : search.tour().order()) search.wake(node);
    search.settle({});
    return reduced.expand(search.tour().order());
  });
}

TEST(TspExpert, NeverEndsAboveTheLocalOptimumItStartedFrom) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Instance instance = tsp_instance(200, seed % kShapes, seed);
    const double start = check(instance, local_optimum(instance)).cost;
    for (const std::uint64_t iterations : {1, 2, 5, 20, 100}) {
      const double length = check(instance, solve_tsp(instance, with_iterations(iterations))).cost;
      EXPECT_LE(length, start * (1 + 1e-12)) << "seed " << seed << ", " << iterations;
    }
  }
}

TEST(TspExpert, StopsAtTheDeadlineWithAFeasibleTour) {
  const Instance instance = tsp_instance(20'000, 1, 7);
  IlsOptions options;
  options.deadline = Deadline::after(0);
  EXPECT_EQ(solve_tsp(instance, options), curve_solution(instance)) << "no time for anything else";
  std::stop_source cancel;
  cancel.request_stop();
  options.deadline = Deadline::when_cancelled(cancel.get_token());
  EXPECT_TRUE(check(instance, solve_tsp(instance, options)).feasible);
}

TEST(TspExpert, RefusesWhatItCannotSolve) {
  Instance instance = tsp_instance(4, 0, 1);
  instance.kind = ProblemKind::cvrp;
  EXPECT_THROW((void)solve_tsp(instance), Error);
}

}  // namespace
}  // namespace eco
