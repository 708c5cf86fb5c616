#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/cvrp_instances.h"

namespace eco {
namespace {

using testing::cvrp_instance;
using testing::kDemandShapes;
using testing::kShapes;
using testing::random_matrix;
using testing::with_demands;

constexpr ConstructMethod kMethods[] = {ConstructMethod::nearest_neighbour,
                                        ConstructMethod::savings};

TEST(CvrpConstruct, IsFeasibleOnEveryKindOfInstance) {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const std::size_t customers = 1 + Rng(seed, 5).below(150);
    const Instance instance =
        seed % 10 == 9 ? with_demands(random_matrix(customers + 1, seed), seed, seed)
                       : cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    for (const ConstructMethod method : kMethods) {
      const CheckResult judged = check(instance, construct(instance, method, seed));
      ASSERT_TRUE(judged.feasible) << judged.reason << ", " << to_string(method) << " " << seed;
    }
  }
}

// The same rule by a plain scan.
Solution plain_nearest_neighbour(const Instance& instance) {
  CvrpState state(instance);
  while (!state.done()) {
    NodeId best = kDepot;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < instance.size(); ++i) {
      const double length = instance.distance(state.current(), NodeId(i));
      if (state.feasible(NodeId(i)) && length < shortest) {
        best = NodeId(i);
        shortest = length;
      }
    }
    state.step(best);
  }
  return state.solution();
}

TEST(CvrpConstruct, NearestNeighbourGoesToTheNearestThatFits) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Instance instance =
        with_demands(testing::tsp_instance(1 + 1 + seed, seed % 2, seed), seed, seed);
    EXPECT_EQ(construct(instance, ConstructMethod::nearest_neighbour, 1),
              plain_nearest_neighbour(instance));
    instance = with_demands(random_matrix(2 + seed % 50, seed), seed, seed);
    EXPECT_EQ(construct(instance, ConstructMethod::nearest_neighbour, 1),
              plain_nearest_neighbour(instance));
  }
}

TEST(CvrpConstruct, SavingsJoinsWhatLiesOnOneWay) {
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  instance.points = {{0, 0}, {0, 1}, {0, 2}, {3, 0}, {4, 0}};
  instance.demands = {0, 1, 1, 1, 1};
  instance.capacity = 2;
  const CheckResult judged = check(instance, construct(instance, ConstructMethod::savings, 1));
  EXPECT_EQ(judged.routes, 2U);
  EXPECT_DOUBLE_EQ(judged.cost, 4.0 + 8.0);
}

TEST(CvrpConstruct, SavingsIsShorterThanNearestNeighbour) {
  GeneratorOptions options;
  options.kind = ProblemKind::cvrp;
  double savings = 0, nearest = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Instance instance = generate(options, i);
    savings += check(instance, construct(instance, ConstructMethod::savings, 1)).cost;
    nearest += check(instance, construct(instance, ConstructMethod::nearest_neighbour, 1)).cost;
  }
  EXPECT_LT(savings, 0.95 * nearest);
}

// More routes left than the all-pairs limit: the ends are joined by near neighbours, in rounds.
TEST(CvrpConstruct, SavingsTakesManyCustomersAndLeavesNoRouteThatFitsIntoAnother) {
  GeneratorOptions options;
  options.kind = ProblemKind::cvrp;
  options.nodes = 10'000;
  options.capacity = 20;
  const Instance instance = generate(options, 0);
  const CheckResult judged = check(instance, construct(instance, ConstructMethod::savings, 1));
  ASSERT_TRUE(judged.feasible) << judged.reason;
  EXPECT_LT(judged.routes, 2900U) << "five units a customer, so at least 2500 routes";
}

TEST(CvrpConstruct, RefusesWhatDoesNotExist) {
  EXPECT_THROW((void)construct(cvrp_instance(5, 0, 1), ConstructMethod::farthest_insertion, 1),
               Error);
}

}  // namespace
}  // namespace eco
