#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/cvrp_instances.h"
#include "core/search/local_search.h"
#include "problems/cvrp/search/relocate.h"
#include "problems/cvrp/search/route_state.h"
#include "problems/cvrp/search/swap.h"
#include "problems/cvrp/search/two_opt_intra.h"
#include "problems/cvrp/search/two_opt_star.h"

namespace eco {
namespace {

using testing::cvrp_instance;
using testing::kDemandShapes;
using testing::kShapes;
using testing::random_matrix;
using testing::random_routes;
using testing::with_demands;

const std::vector<std::string> kOperators{"2opt-intra", "relocate", "swap", "2opt-star"};

std::vector<std::vector<std::string>> cvrp_operator_sets() {
  return {{kOperators[0]}, {kOperators[1]}, {kOperators[2]}, {kOperators[3]}, {}};
}

void never_lengthens_cvrp(const Instance& instance, std::uint64_t seed) {
  for (const SearchMode mode : {SearchMode::paper, SearchMode::full}) {
    for (const auto& names : cvrp_operator_sets()) {
      Solution solution = random_routes(instance, seed);
      const double before = check(instance, solution).cost;
      LocalSearchOptions options;
      options.mode = mode;
      options.operators = names;
      const LocalSearchResult result = local_search(instance, solution, options);
      const CheckResult judged = check(instance, solution);
      ASSERT_TRUE(judged.feasible) << judged.reason << ", seed " << seed;
      ASSERT_LE(judged.cost, before * (1 + 1e-15)) << "seed " << seed;
      ASSERT_NEAR(result.before, before, 1e-9 * before + 1e-12);
      ASSERT_NEAR(result.after, judged.cost, 1e-9 * before + 1e-12);
      if (result.moves > 0) {
        ASSERT_LT(judged.cost, before);
      }
      if (mode == SearchMode::paper) {
        ASSERT_LE(result.moves, 2 * instance.customers());
      } else {
        ASSERT_TRUE(result.local_optimum);
      }
    }
  }
}

TEST(CvrpLocalSearch, NeverLengthensASolutionOrBreaksACapacity) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Rng rng(seed, 5);
    const std::size_t customers = seed % 2 == 0 ? 1 + rng.below(9) : 1 + rng.below(60);
    never_lengthens_cvrp(cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed), seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    never_lengthens_cvrp(with_demands(random_matrix(2 + seed % 40, seed), seed, seed), seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Every single move: the gain it reports is what the judge finds.
template <class Operator>
void cvrp_gains_are_true() {
  std::size_t moves = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::size_t customers = 2 + Rng(seed, 6).below(40);
    const Instance instance = cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    const NeighbourLists neighbours(instance, 6);
    RouteState state(instance, neighbours, seed % 3 == 0);
    const Solution start = random_routes(instance, seed);
    double length = check(instance, start).cost;
    state.assign(start, length);
    Operator search_operator;
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t node = 1; node <= customers; ++node) {
        const double gain = search_operator.improve_at(state, node);
        const CheckResult judged = check(instance, state.solution());
        ASSERT_TRUE(judged.feasible) << judged.reason;
        ASSERT_NEAR(length - judged.cost, gain, 1e-9 * std::max(1.0, length)) << "seed " << seed;
        length = judged.cost;
        if (gain > 0) ++moves;
      }
    }
  }
  EXPECT_GT(moves, 300U);
}

TEST(CvrpTwoOptIntra, ReportsTheGainTheJudgeFinds) {
  cvrp_gains_are_true<TwoOptIntra>();
}
TEST(CvrpRelocate, ReportsTheGainTheJudgeFinds) {
  cvrp_gains_are_true<Relocate>();
}
TEST(CvrpSwap, ReportsTheGainTheJudgeFinds) {
  cvrp_gains_are_true<Swap>();
}
TEST(CvrpTwoOptStar, ReportsTheGainTheJudgeFinds) {
  cvrp_gains_are_true<TwoOptStar>();
}

// All moves of an operator, written down plainly on routes; an extra empty route stands for a new
// one. The visitor gets every neighbour, feasible or not.
using Visit = std::function<void(const Routes&)>;

void visit_relocations(const Routes& routes, bool swaps, const Visit& visit) {
  for (std::size_t a = 0; a < routes.size(); ++a) {
    for (std::size_t i = 0; i < routes[a].size(); ++i) {
      for (std::size_t b = 0; b < routes.size(); ++b) {
        for (std::size_t j = 0; j < routes[b].size() + (swaps ? 0 : 1); ++j) {
          Routes changed = routes;
          if (swaps) {
            std::swap(changed[a][i], changed[b][j]);
          } else {
            changed[a].erase(changed[a].begin() + static_cast<std::ptrdiff_t>(i));
            if (j > changed[b].size()) continue;
            changed[b].insert(changed[b].begin() + static_cast<std::ptrdiff_t>(j), routes[a][i]);
          }
          visit(changed);
        }
      }
    }
  }
}

void visit_reversals(const Routes& routes, const Visit& visit) {
  for (std::size_t a = 0; a < routes.size(); ++a) {
    for (std::size_t i = 0; i < routes[a].size(); ++i) {
      for (std::size_t j = i + 2; j <= routes[a].size(); ++j) {
        Routes changed = routes;
        std::reverse(changed[a].begin() + static_cast<std::ptrdiff_t>(i),
                     changed[a].begin() + static_cast<std::ptrdiff_t>(j));
        visit(changed);
      }
    }
  }
}

Route joined(const Route& head, const Route& tail) {
  Route route = head;
  route.insert(route.end(), tail.begin(), tail.end());
  return route;
}

void visit_exchanges(const Routes& routes, const Visit& visit) {
  const auto part = [](const Route& route, std::size_t from, std::size_t to) {
    return Route(route.begin() + static_cast<std::ptrdiff_t>(from),
                 route.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto backwards = [](Route route) {
    std::reverse(route.begin(), route.end());
    return route;
  };
  for (std::size_t a = 0; a < routes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t i = 0; i <= routes[a].size(); ++i) {
        for (std::size_t j = 0; j <= routes[b].size(); ++j) {
          const Route head_a = part(routes[a], 0, i), tail_a = part(routes[a], i, routes[a].size());
          const Route head_b = part(routes[b], 0, j), tail_b = part(routes[b], j, routes[b].size());
          Routes changed = routes;
          changed[a] = joined(head_a, tail_b);
          changed[b] = joined(head_b, tail_a);
          visit(changed);
          changed[a] = joined(head_a, backwards(head_b));
          changed[b] = joined(backwards(tail_a), tail_b);
          visit(changed);
        }
      }
    }
  }
}

void visit_neighbours(const std::string& name, const Routes& routes, const Visit& visit) {
  if (name == "2opt-intra") visit_reversals(routes, visit);
  if (name == "relocate") visit_relocations(routes, false, visit);
  if (name == "swap") visit_relocations(routes, true, visit);
  if (name == "2opt-star") visit_exchanges(routes, visit);
}

TEST(CvrpLocalSearch, APaperOptimumHasNoImprovingMoveAtAll) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const std::size_t customers = 3 + seed % 9;
    const Instance instance =
        seed % 10 == 9 ? with_demands(random_matrix(customers + 1, seed), seed, seed)
                       : cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    for (const std::string& name : kOperators) {
      Solution solution = random_routes(instance, seed);
      LocalSearchOptions options;
      options.operators = {name};
      options.max_moves = 10'000;
      options.neighbours = 3;  // short lists: the exhaustive part has to find the rest
      ASSERT_TRUE(local_search(instance, solution, options).local_optimum);
      const double length = check(instance, solution).cost;
      Routes routes = to_routes(solution);
      routes.emplace_back();
      visit_neighbours(name, routes, [&](const Routes& changed) {
        const CheckResult judged = check(instance, from_routes(changed));
        if (!judged.feasible) return;
        EXPECT_GE(judged.cost, length - 1e-9 * std::max(1.0, length)) << name << ", seed " << seed;
      });
      if (HasFailure()) return;
    }
  }
}

Instance on_points(std::vector<Point> points, std::vector<std::int64_t> demands,
                   std::int64_t capacity) {
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  instance.points = std::move(points);
  instance.demands = std::move(demands);
  instance.capacity = capacity;
  return instance;
}

Solution visits(std::initializer_list<std::size_t> nodes) {
  Solution solution;
  for (const std::size_t node : nodes) solution.sequence.emplace_back(node);
  return solution;
}

void finds_planted(const std::string& name, const Instance& instance, Solution solution,
                   double expected) {
  for (const SearchMode mode : {SearchMode::paper, SearchMode::full}) {
    Solution improved = solution;
    LocalSearchOptions options;
    options.mode = mode;
    options.operators = {name};
    const LocalSearchResult result = local_search(instance, improved, options);
    EXPECT_GT(result.moves, 0U) << name;
    EXPECT_NEAR(check(instance, improved).cost, expected, 1e-9) << name;
  }
}

TEST(CvrpLocalSearch, EveryOperatorFindsAPlantedImprovement) {
  // A square with a crossing: 0 (0,0), 1 (0,1), 2 (1,1), 3 (1,0).
  const Instance square = on_points({{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {0, 1, 1, 1}, 3);
  finds_planted("2opt-intra", square, visits({0, 2, 1, 3, 0}), 4.0);

  // Two rays; customer 2 lies on the ray of 1 but rides with 3.
  const Instance rays = on_points({{0, 0}, {0, 2}, {0, 1}, {5, 0}}, {0, 1, 1, 1}, 2);
  finds_planted("relocate", rays, visits({0, 1, 0, 2, 3, 0}), 4.0 + 10.0);

  // Full vehicles on both rays: only an exchange one against one is feasible.
  const Instance full = on_points({{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}}, {0, 2, 2, 2, 2}, 4);
  finds_planted("swap", full, visits({0, 1, 4, 0, 3, 2, 0}), 8.0);

  // The outer halves of both routes are on the wrong side.
  const Instance halves =
      on_points({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}}, {0, 1, 1, 1, 1, 1, 1}, 3);
  finds_planted("2opt-star", halves, visits({0, 1, 5, 6, 0, 4, 2, 3, 0}), 12.0);
}

TEST(CvrpLocalSearch, StopsAtTheMoveCap) {
  const Instance instance = cvrp_instance(60, 0, 3);
  Solution solution = random_routes(instance, 3);
  LocalSearchOptions options;
  options.max_moves = 5;
  const LocalSearchResult result = local_search(instance, solution, options);
  EXPECT_EQ(result.moves, 5U);
  EXPECT_FALSE(result.local_optimum);
}

TEST(CvrpLocalSearch, NamesTheOperatorsItHasWhenAskedForAnother) {
  const Instance instance = cvrp_instance(5, 0, 1);
  LocalSearchOptions options;
  options.operators = {"3opt"};
  try {
    (void)make_local_search(instance, options);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    for (const std::string& name : kOperators) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  const auto names = search_operators(ProblemKind::cvrp);
  EXPECT_TRUE(std::equal(names.begin(), names.end(), kOperators.begin(), kOperators.end()));
}

TEST(CvrpLocalSearch, AllOperatorsTogetherBeatEachAlone) {
  double alone = 1e9, together = 0;
  for (const auto& names : cvrp_operator_sets()) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Instance instance = cvrp_instance(80, 0, seed);
      Solution solution = random_routes(instance, seed);
      LocalSearchOptions options;
      options.operators = names;
      options.max_moves = 100'000;
      sum += local_search(instance, solution, options).after;
    }
    if (names.empty()) {
      together = sum;
    } else {
      alone = std::min(alone, sum);
    }
  }
  EXPECT_LT(together, alone);
}

}  // namespace
}  // namespace eco
