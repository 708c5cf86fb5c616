// Matrices whose way back has another length.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/cvrp_instances.h"
#include "core/search/node_distance.h"
#include "problems/cvrp/expert/solve_cvrp.h"
#include "problems/tsp/expert/ils.h"

namespace eco {
namespace {

Instance directed_matrix(std::size_t nodes, std::uint64_t seed) {
  Rng rng(seed, 7);
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix.assign(nodes * nodes, 0);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < nodes; ++j) {
      if (i != j) instance.matrix[i * nodes + j] = 1 + rng.below(100);
    }
  }
  return instance;
}

double shortest_tour(const Instance& instance) {
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

// Every order of the customers, cut everywhere that loads allow.
double shortest_routes(const Instance& instance) {
  std::vector<std::size_t> order(instance.customers());
  std::iota(order.begin(), order.end(), 1U);
  double best = std::numeric_limits<double>::infinity();
  do {
    for (std::size_t cuts = 0; cuts < (1U << (order.size() - 1)); ++cuts) {
      Routes routes(1);
      for (std::size_t i = 0; i < order.size(); ++i) {
        routes.back().emplace_back(order[i]);
        if (i + 1 < order.size() && (cuts >> i & 1U) != 0) routes.emplace_back();
      }
      const CheckResult judged = check(instance, from_routes(routes));
      if (judged.feasible) best = std::min(best, judged.cost);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Directed, TheTspExpertFindsTheBestTourOfSmallMatrices) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const std::size_t nodes = 2 + seed % 6;
    const Instance instance = directed_matrix(nodes, seed);
    for (const std::size_t threads : {1U, 2U}) {
      IlsOptions options;
      options.iterations = 400;
      options.threads = threads;
      const CheckResult judged = check(instance, solve_tsp(instance, options));
      ASSERT_TRUE(judged.feasible) << judged.reason;
      ASSERT_EQ(judged.cost, shortest_tour(instance)) << nodes << " nodes, seed " << seed;
    }
  }
}

TEST(Directed, TheTspExpertGoesRoundAOneWayRing) {
  constexpr std::size_t kNodes = 60;
  Instance instance = directed_matrix(kNodes, 3);
  for (double& length : instance.matrix) length += 100;
  for (std::size_t i = 0; i < kNodes; ++i) instance.matrix[i * kNodes + (i + 1) % kNodes] = 1;
  EXPECT_EQ(check(instance, solve_tsp(instance)).cost, kNodes);
}

TEST(Directed, TheCvrpExpertFindsTheBestRoutesOfSmallMatrices) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Instance instance = directed_matrix(6, seed);
    if (seed % 2 == 0) {  // open routes: nobody has to come home
      for (std::size_t i = 0; i < 6; ++i) instance.matrix[i * 6] = 0;
    }
    instance = testing::with_demands(instance, 0, seed);
    CvrpExpertOptions options;
    options.iterations = 4'000;
    const CheckResult judged = check(instance, solve_cvrp(instance, options));
    ASSERT_TRUE(judged.feasible) << judged.reason;
    ASSERT_NEAR(judged.cost, shortest_routes(instance), 1e-9) << "seed " << seed;
  }
}

TEST(Directed, ExpertsNeverMakeAStartLongerAndBeatTheConstructions) {
  const Instance tsp = directed_matrix(120, 5);
  const Solution nearest = construct(tsp, ConstructMethod::nearest_neighbour, 1);
  IlsOptions ils;
  ils.start = &nearest;
  EXPECT_LT(check(tsp, solve_tsp(tsp, ils)).cost, 0.8 * check(tsp, nearest).cost);
  ils.deadline = Deadline::after(0);
  EXPECT_EQ(solve_tsp(tsp, ils), nearest);

  const Instance cvrp = testing::with_demands(directed_matrix(121, 6), 0, 6);
  const Solution savings = construct(cvrp, ConstructMethod::savings, 1);
  CvrpExpertOptions hgs;
  hgs.iterations = 20'000;
  EXPECT_LT(check(cvrp, solve_cvrp(cvrp, hgs)).cost, 0.9 * check(cvrp, savings).cost);
}

TEST(Directed, IsWhatDiffersSomewhere) {
  EXPECT_FALSE(is_symmetric(directed_matrix(5, 1)));
  EXPECT_TRUE(is_symmetric(testing::random_matrix(5, 1)));
  EXPECT_TRUE(is_symmetric(testing::tsp_instance(5, 0, 1)));
}

TEST(Directed, ForcedEdgesAreRefused) {
  const Edge edge{NodeId(1), NodeId(2)};
  IlsOptions ils;
  ils.forced = {&edge, 1};
  EXPECT_THROW((void)solve_tsp(directed_matrix(9, 1), ils), Error);
  CvrpExpertOptions hgs;
  hgs.forced = {&edge, 1};
  EXPECT_THROW((void)solve_cvrp(testing::with_demands(directed_matrix(9, 1), 0, 1), hgs), Error);
}

}  // namespace
}  // namespace eco
