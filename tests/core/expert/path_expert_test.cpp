// The expert, the constructions and the local search of open paths.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/expert/problem_expert.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "core/search/problem_search.h"

namespace eco {
namespace {

// Ends by two bits: 1 the start is given, 2 the end.
Instance path_instance(std::size_t nodes, std::uint64_t index, unsigned ends) {
  GeneratorOptions options;
  options.kind = ProblemKind::path;
  options.nodes = nodes;
  Instance instance = generate(options, index);
  if ((ends & 1U) != 0) instance.start = NodeId(1);
  if ((ends & 2U) != 0) instance.end = NodeId(nodes - 1);
  return instance;
}

double shortest_of_all(const Instance& instance) {
  Solution path;
  for (std::size_t i = 0; i < instance.size(); ++i) path.sequence.emplace_back(i);
  double best = std::numeric_limits<double>::infinity();
  do {
    const CheckResult result = check(instance, path);
    if (result.feasible) best = std::min(best, result.cost);
  } while (std::next_permutation(path.sequence.begin(), path.sequence.end()));
  return best;
}

TEST(PathExpert, FindsTheShortestOfAllPaths) {
  for (unsigned ends = 0; ends < 4; ++ends) {
    for (std::uint64_t index = 0; index < 4; ++index) {
      const Instance instance = path_instance(7, index, ends);
      ExpertOptions options;
      options.iterations = 300;
      const Solution found = expert_of(instance.kind).own.solve(instance, options);
      EXPECT_NEAR(require_feasible(instance, found), shortest_of_all(instance), 1e-9)
          << "ends " << ends << ", instance " << index;
    }
  }
}

TEST(PathExpert, SolvesTheSmallest) {
  for (std::size_t nodes = 1; nodes < 5; ++nodes) {
    for (unsigned ends = 0; ends < (nodes > 2 ? 4U : 1U); ++ends) {
      const Instance instance = path_instance(nodes, 1, ends);
      (void)require_feasible(instance, expert_of(instance.kind).own.solve(instance, {}));
    }
  }
}

TEST(PathExpert, KeepsForcedEdgesAndNeverLengthensAStart) {
  for (unsigned ends = 0; ends < 4; ++ends) {
    const Instance instance = path_instance(40, 5, ends);
    const std::vector<Edge> forced{{NodeId(3), NodeId(20)}, {NodeId(20), NodeId(7)}};
    ExpertOptions options;
    options.forced = forced;
    const Solution first = expert_of(instance.kind).own.solve(instance, options);
    const auto& nodes = first.sequence;
    for (const Edge& edge : forced) {
      const auto at = std::find(nodes.begin(), nodes.end(), edge.a) - nodes.begin();
      const auto there = std::find(nodes.begin(), nodes.end(), edge.b) - nodes.begin();
      EXPECT_EQ(std::abs(at - there), 1);
    }
    options.start = &first;
    options.iterations = 50;
    const Solution again = expert_of(instance.kind).own.solve(instance, options);
    EXPECT_LE(require_feasible(instance, again), require_feasible(instance, first) + 1e-9);
  }
}

TEST(PathExpert, ManyNodesTakeNoMatrix) {
  for (unsigned ends = 0; ends < 4; ++ends) {
    const Instance instance = path_instance(2500, 6, ends);
    ExpertOptions options;
    options.iterations = 2000;
    const Solution found = expert_of(instance.kind).own.solve(instance, options);
    // 0.7124 sqrt(N) is the length of a best tour of many random points in a square.
    EXPECT_LT(require_feasible(instance, found), 1.25 * 0.7124 * 50);
  }
}

TEST(PathSearch, EveryConstructionIsAPathBetweenTheGivenEnds) {
  for (unsigned ends = 0; ends < 4; ++ends) {
    for (const std::size_t nodes : {3, 4, 50}) {
      const Instance instance = path_instance(nodes, 2, ends);
      for (const auto& construction : search_of(instance.kind).constructions) {
        (void)require_feasible(instance, *construction.build(instance, 1, {}));
      }
      (void)require_feasible(instance, quick_solution(instance, 1, {}));
    }
  }
}

TEST(PathSearch, NeverLengthensAPathAndKeepsItsEnds) {
  for (unsigned ends = 0; ends < 4; ++ends) {
    for (const SearchMode mode : {SearchMode::paper, SearchMode::full}) {
      for (std::uint64_t index = 0; index < 5; ++index) {
        const Instance instance = path_instance(60, index, ends);
        Solution path = *search_of(instance.kind).constructions[0].build(instance, index, {});
        const double before = require_feasible(instance, path);
        LocalSearchOptions options;
        options.mode = mode;
        const LocalSearchResult result = local_search(instance, path, options);
        EXPECT_NEAR(require_feasible(instance, path), result.after, 1e-9);
        EXPECT_DOUBLE_EQ(result.before, before);
        EXPECT_LT(result.after, before) << "nearest neighbour leaves something to do";
      }
    }
  }
}

TEST(PathSearch, GainsAreWhatTheyAreSaidToBe) {
  for (const std::string name : {"2opt", "oropt"}) {
    const Instance instance = path_instance(30, 9, 0);
    Solution path;
    for (std::size_t i = 0; i < instance.size(); ++i) path.sequence.emplace_back(i);
    double last = cost(instance, path);
    LocalSearchOptions options;
    options.operators = {name};
    options.max_moves = 1;
    // One move at a time: each makes the path shorter, and the last is followed by none.
    for (int move = 0; move < 500; ++move) {
      const LocalSearchResult result = local_search(instance, path, options);
      EXPECT_NEAR(result.before, last, 1e-9);
      if (result.moves == 0) break;
      EXPECT_LT(result.after, last);
      last = result.after;
    }
    EXPECT_TRUE(local_search(instance, path, options).local_optimum) << name;
  }
}

}  // namespace
}  // namespace eco
