#include "core/problem/check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/problem/problem.h"

namespace eco {
namespace {

Solution sequence(std::initializer_list<std::size_t> nodes) {
  Solution solution;
  for (const std::size_t node : nodes) solution.sequence.emplace_back(node);
  return solution;
}

Instance square() {
  Instance instance;
  instance.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  return instance;
}

Instance small_cvrp() {
  Instance instance = square();
  instance.kind = ProblemKind::cvrp;
  instance.demands = {0, 3, 3, 2};
  instance.capacity = 5;
  return instance;
}

TEST(Check, AcceptsATourAndGivesItsLength) {
  const CheckResult result = check(square(), sequence({0, 1, 2, 3}));
  EXPECT_TRUE(result.feasible) << result.reason;
  EXPECT_DOUBLE_EQ(result.cost, 4.0);
}

TEST(Check, NamesWhatIsWrongWithATour) {
  EXPECT_EQ(check(square(), sequence({0, 1, 2})).reason, "node 4 is never visited");
  EXPECT_EQ(check(square(), sequence({0, 1, 2, 2})).reason, "node 3 is visited twice");
  EXPECT_EQ(check(square(), sequence({0, 1, 2, 4})).reason,
            "node number 5 is not in the instance (4 nodes)");
  EXPECT_EQ(check(square(), {}).reason, "the solution is empty");
}

TEST(Check, AcceptsRoutesWithinCapacity) {
  const CheckResult result = check(small_cvrp(), sequence({0, 1, 3, 0, 2, 0}));
  EXPECT_TRUE(result.feasible) << result.reason;
  EXPECT_EQ(result.routes, 2U);
  EXPECT_NEAR(result.cost, 1 + std::sqrt(2.0) + 1 + 2 * std::sqrt(2.0), 1e-12);
}

TEST(Check, CountsTheRoutesAgainstTheVehicles) {
  Instance instance = small_cvrp();
  instance.vehicles = 2;
  EXPECT_TRUE(check(instance, sequence({0, 1, 3, 0, 2, 0})).feasible);
  instance.vehicles = 1;
  const CheckResult result = check(instance, sequence({0, 1, 3, 0, 2, 0}));
  EXPECT_FALSE(result.feasible);
  EXPECT_TRUE(result.lacks_vehicles);
  EXPECT_EQ(result.reason, "2 routes, but 1 vehicle");
  EXPECT_EQ(result.routes, 2U);
  EXPECT_NEAR(result.cost, require_feasible(instance, sequence({0, 1, 3, 0, 2, 0})), 1e-12)
      << "which is no defect of who made it";
  const CheckResult worse = check(instance, sequence({0, 1, 2, 0, 3, 0}));
  EXPECT_FALSE(worse.lacks_vehicles) << "the load comes first";
  EXPECT_THROW((void)require_feasible(instance, sequence({0, 1, 2, 0, 3, 0})), std::logic_error);
}

TEST(Check, NamesWhatIsWrongWithRoutes) {
  EXPECT_EQ(check(small_cvrp(), sequence({0, 1, 2, 0, 3, 0})).reason,
            "route 1 carries 6 at node 3, more than the capacity 5");
  EXPECT_EQ(check(small_cvrp(), sequence({1, 0, 2, 3, 0})).reason,
            "the sequence does not start and end at the depot");
  EXPECT_EQ(check(small_cvrp(), sequence({0, 1, 0, 2, 0})).reason, "node 4 is never visited");
}

TEST(Check, UsesTheFilesOwnNumbersInItsReasons) {
  Instance instance = square();
  instance.labels = {10, 20, 30, 40};
  EXPECT_EQ(check(instance, sequence({0, 1, 2})).reason, "node 40 is never visited");
}

// Random feasible walks through the state must always satisfy the judge, and their costs agree.
template <class State>
void random_walks_are_feasible(Instance instance, std::uint64_t seed) {
  Rng rng(seed);
  State state(instance);
  while (!state.done()) {
    std::vector<NodeId> allowed;
    for (std::size_t i = 0; i < instance.size(); ++i) {
      if (state.feasible(NodeId(i))) allowed.emplace_back(i);
    }
    ASSERT_FALSE(allowed.empty());
    state.step(allowed[rng.below(static_cast<std::uint32_t>(allowed.size()))]);
  }
  const CheckResult result = check(instance, state.solution());
  EXPECT_TRUE(result.feasible) << result.reason;
  EXPECT_NEAR(result.cost, cost(instance, state.solution()), 1e-9 * result.cost + 1e-12);
}

TEST(ProblemState, RandomWalksSatisfyTheIndependentChecker) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed, 1);
    Instance instance;
    const std::size_t nodes = 2 + rng.below(30);
    for (std::size_t i = 0; i < nodes; ++i) {
      instance.points.push_back({rng.uniform(), rng.uniform()});
    }
    random_walks_are_feasible<TspState>(instance, seed);
    instance.kind = ProblemKind::cvrp;
    instance.capacity = 9 + rng.below(20);
    instance.demands.assign(nodes, 0);
    for (std::size_t i = 1; i < nodes; ++i) instance.demands[i] = rng.between(0, 9);
    validate(instance);
    random_walks_are_feasible<CvrpState>(instance, seed);
  }
}

TEST(ProblemState, DepotIsMaskedRightAfterDepotUntilAllAreServed) {
  const Instance instance = small_cvrp();
  CvrpState state(instance);
  EXPECT_FALSE(state.feasible(kDepot));
  state.step(NodeId(1));
  EXPECT_FALSE(state.feasible(NodeId(2))) << "demand 3 does not fit into 2";
  EXPECT_TRUE(state.feasible(NodeId(3)));
  EXPECT_TRUE(state.feasible(kDepot));
  state.step(kDepot);
  EXPECT_FALSE(state.feasible(kDepot));
  state.step(NodeId(2));
  state.step(NodeId(3));
  EXPECT_FALSE(state.done());
  state.step(kDepot);
  EXPECT_TRUE(state.done());
}

TEST(Validate, RefusesWhatNoSolverCouldAnswer) {
  Instance instance = small_cvrp();
  instance.demands[2] = 6;
  EXPECT_THROW(validate(instance), Error);
  instance = small_cvrp();
  instance.capacity = 0;
  EXPECT_THROW(validate(instance), Error);
  instance = square();
  instance.points[1].x = std::nan("");
  EXPECT_THROW(validate(instance), Error);
  EXPECT_THROW(validate(Instance{}), Error);
}

}  // namespace
}  // namespace eco
