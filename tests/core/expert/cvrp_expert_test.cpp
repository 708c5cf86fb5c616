#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"
#include "core/search/cvrp_instances.h"
#include "problems/cvrp/expert/solve_cvrp.h"

namespace eco {
namespace {

using testing::any_cvrp_instance;
using testing::cvrp_instance;
using testing::kDemandShapes;
using testing::kShapes;
using testing::random_matrix;
using testing::with_demands;

// The shortest of all orders of the customers with all ways to cut each into routes.
double brute_force(const Instance& instance) {
  std::vector<std::size_t> order(instance.customers());
  std::iota(order.begin(), order.end(), 1U);
  double best = std::numeric_limits<double>::infinity();
  const std::size_t cuts = std::size_t{1} << (order.size() - 1);
  do {
    for (std::size_t mask = 0; mask < cuts; ++mask) {
      Solution solution;
      solution.sequence.push_back(kDepot);
      for (std::size_t i = 0; i < order.size(); ++i) {
        solution.sequence.emplace_back(order[i]);
        if (((mask >> i) & 1U) != 0) solution.sequence.push_back(kDepot);
      }
      solution.sequence.push_back(kDepot);
      const CheckResult judged = check(instance, solution);
      if (judged.feasible) best = std::min(best, judged.cost);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(CvrpExpert, IsOptimalOnTinyInstances) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const std::size_t customers = 1 + seed % 5 + (seed % 40 == 0 ? 5 : 0);
    const Instance instance = cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    CvrpExpertOptions options;
    options.iterations = 2000;
    const double found = require_feasible(instance, solve_cvrp(instance, options));
    const double best = brute_force(instance);
    EXPECT_NEAR(found, best, 1e-9 * std::max(1.0, best)) << "seed " << seed;
  }
}

TEST(CvrpExpert, IsFeasibleAndNotLongerThanSavingsOnEveryKindOfInstance) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t customers = 1 + Rng(seed, 5).below(80);
    const Instance instance = any_cvrp_instance(customers, seed);
    CvrpExpertOptions options;
    options.iterations = 300;
    options.seed = seed;
    const double found = require_feasible(instance, solve_cvrp(instance, options));
    const double savings =
        require_feasible(instance, construct(instance, ConstructMethod::savings, 1));
    ASSERT_LE(found, savings * (1 + 1e-12)) << "seed " << seed;
  }
}

TEST(CvrpExpert, IsAFunctionOfTheSeed) {
  GeneratorOptions generator;
  generator.kind = ProblemKind::cvrp;
  const Instance instance = generate(generator, 0);
  CvrpExpertOptions options;
  options.iterations = 3000;
  const Solution first = solve_cvrp(instance, options);
  EXPECT_EQ(first, solve_cvrp(instance, options));
  options.seed = 2;
  EXPECT_NE(first, solve_cvrp(instance, options));
}

TEST(CvrpExpert, IsFarShorterThanSavings) {
  GeneratorOptions generator;
  generator.kind = ProblemKind::cvrp;
  double savings = 0, expert = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const Instance instance = generate(generator, i);
    CvrpExpertOptions options;
    options.iterations = 10'000;
    savings += require_feasible(instance, construct(instance, ConstructMethod::savings, 1));
    expert += require_feasible(instance, solve_cvrp(instance, options));
  }
  EXPECT_LT(expert, 0.97 * savings);
}

TEST(CvrpExpert, ReturnsAFeasibleSolutionWhenThereIsNoTimeAtAll) {
  const Instance instance = cvrp_instance(200, 0, 1);
  CvrpExpertOptions options;
  options.deadline = Deadline::after(0);
  EXPECT_EQ(solve_cvrp(instance, options), curve_solution(instance));
}

// The callback is asked every 64 steps; it cancels at the tenth time and counts the rest.
TEST(CvrpExpert, StopsSoonAfterItIsCancelled) {
  std::stop_source stop;
  CvrpExpertOptions options;
  options.iterations = std::numeric_limits<std::uint64_t>::max();
  options.deadline = Deadline::when_cancelled(stop.get_token());
  std::size_t asked = 0;
  options.progress = [&](const SearchProgress&) {
    if (++asked == 10) stop.request_stop();
  };
  const Instance instance = cvrp_instance(400, 0, 1);
  const double found = require_feasible(instance, solve_cvrp(instance, options));
  EXPECT_LE(found, require_feasible(instance, construct(instance, ConstructMethod::savings, 1)));
  EXPECT_EQ(asked, 10U);
}

TEST(CvrpExpert, StopsWhenCancelled) {
  std::stop_source stop;
  stop.request_stop();
  CvrpExpertOptions options;
  options.iterations = std::numeric_limits<std::uint64_t>::max();
  options.deadline = Deadline::when_cancelled(stop.get_token());
  const Instance instance = cvrp_instance(50, 0, 1);
  EXPECT_GT(require_feasible(instance, solve_cvrp(instance, options)), 0);
}

TEST(CvrpExpert, TakesTenThousandCustomers) {
  GeneratorOptions generator;
  generator.kind = ProblemKind::cvrp;
  generator.nodes = 10'000;
  const Instance instance = generate(generator, 0);
  CvrpExpertOptions options;
  options.iterations = 5000;
  const double found = require_feasible(instance, solve_cvrp(instance, options));
  EXPECT_LT(found, require_feasible(instance, construct(instance, ConstructMethod::savings, 1)));
}

TEST(CvrpExpert, RefusesOtherProblems) {
  EXPECT_THROW((void)solve_cvrp(random_matrix(5, 1)), Error);
}

}  // namespace
}  // namespace eco
