#include "core/expert/expert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/expert/forced_sets.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"

namespace eco {
namespace {

Instance random_instance(ProblemKind kind) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = 50;
  return generate(options, 0);
}

TEST(Expert, AutoIsABuiltInOneForEveryProblem) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Expert& expert = expert_named("auto", kind);
    EXPECT_FALSE(expert.external);
    EXPECT_TRUE(expert.solves(kind));
  }
}

TEST(Expert, BuiltInOnesAreFeasibleAndAFunctionOfTheSeed) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = random_instance(kind);
    ExpertOptions options;
    options.iterations = 200;
    const Solution once = expert_named("auto", kind).solve(instance, options);
    EXPECT_TRUE(check(instance, once).feasible);
    EXPECT_EQ(expert_named("auto", kind).solve(instance, options), once);
  }
}

TEST(Expert, StopsAtOnceWhenCancelledWithAFeasibleSolution) {
  std::stop_source source;
  source.request_stop();
  ExpertOptions options;
  options.iterations = 1'000'000'000'000;
  options.cancel = source.get_token();
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = random_instance(kind);
    EXPECT_TRUE(check(instance, expert_named("auto", kind).solve(instance, options)).feasible);
  }
}

TEST(Expert, TellsHowMuchOfTheBudgetIsGoneAndFindsTheSame) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = random_instance(kind);
    ExpertOptions options;
    options.iterations = 2'000;
    const Solution silent = expert_named("auto", kind).solve(instance, options);
    std::vector<double> shares;
    options.progress = [&](const SearchProgress& at) { shares.push_back(at.share); };
    EXPECT_EQ(expert_named("auto", kind).solve(instance, options), silent);
    ASSERT_GT(shares.size(), 10U);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.front(), 0);
    EXPECT_GT(shares.back(), 0.9);
    EXPECT_LE(shares.back(), 1);
  }
}

TEST(Expert, PassesForcedEdgesAndAStartOn) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = random_instance(kind);
    ExpertOptions options;
    options.iterations = 1;
    const Solution start = expert_named("auto", kind).solve(instance, options);
    const std::vector<Edge> all = testing::solution_edges(instance, start);
    options.forced = all;
    EXPECT_TRUE(
        testing::has_edges(instance, expert_named("auto", kind).solve(instance, options), all));
    const Solution nothing;
    options.start = &nothing;
    EXPECT_THROW((void)expert_named("auto", kind).solve(instance, options), Error);
  }
}

TEST(Expert, ExternalOnesRefuseForcedEdgesAndAStart) {
  const Instance instance = random_instance(ProblemKind::tsp);
  const Edge edge{NodeId(0), NodeId(1)};
  const Solution start;
  for (const Expert& expert : all_experts()) {
    if (!expert.external) continue;
    ExpertOptions forced, started;
    forced.forced = {&edge, 1};
    started.start = &start;
    for (const ExpertOptions& options : {forced, started}) {
      try {
        (void)expert.solve(instance, options);
        FAIL() << expert.name;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("neither forced edges nor a start"),
                  std::string::npos);
      }
    }
  }
}

TEST(Expert, RefusesUnknownNamesAndProblemsThatItDoesNotSolve) {
  EXPECT_THROW((void)expert_named("nobody", ProblemKind::tsp), Error);
  EXPECT_THROW((void)expert_named("ils", ProblemKind::cvrp), Error);
  EXPECT_THROW((void)expert_named("hgs", ProblemKind::tsp), Error);
  EXPECT_THROW((void)expert_named("concorde", ProblemKind::cvrp), Error);
  EXPECT_EQ(expert_named("lkh", ProblemKind::cvrp).name, "lkh");
}

TEST(InstanceSeed, DiffersByInstanceAndBySeed) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t index = 0; index < 50; ++index) seeds.insert(instance_seed(seed, index));
  }
  EXPECT_EQ(seeds.size(), 1000U);
}

}  // namespace
}  // namespace eco
