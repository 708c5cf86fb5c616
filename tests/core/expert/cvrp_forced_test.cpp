#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/expert/forced_sets.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "core/search/cvrp_instances.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/cvrp/expert/solve_cvrp.h"

namespace eco {
namespace {

using testing::any_cvrp_instance;
using testing::cvrp_instance;
using testing::edges_between;
using testing::has_edges;
using testing::kForcedShares;
using testing::random_routes;
using testing::refusal_of;
using testing::solution_edges;
using testing::some_of;

CvrpExpertOptions fixing(const std::vector<Edge>& forced, std::uint64_t iterations,
                         std::uint64_t seed = 1) {
  CvrpExpertOptions options;
  options.iterations = iterations;
  options.forced = forced;
  options.seed = seed;
  return options;
}

// The shortest of all orders of the customers with all ways to cut each into routes.
double best_routes_with(const Instance& instance, const std::vector<Edge>& forced) {
  const std::size_t nodes = instance.size();
  std::vector<int> missing_edges(nodes * nodes, 0);  // how often each is asked for
  for (const Edge& edge : forced) {
    ++missing_edges[edge.a.index() * nodes + edge.b.index()];
    ++missing_edges[edge.b.index() * nodes + edge.a.index()];
  }
  std::vector<std::size_t> order(instance.customers());
  std::iota(order.begin(), order.end(), 1U);
  double best = std::numeric_limits<double>::infinity();

  // From `at`, where `place` customers are served, with that much on board.
  const auto go_on = [&](const auto& self, std::size_t place, std::size_t at, std::int64_t load,
                         double length, std::size_t missing) -> void {
    const auto leg = [&](std::size_t from, std::size_t to, const auto& then) {
      int& wanted = missing_edges[from * nodes + to];
      int& mirrored = missing_edges[to * nodes + from];
      const bool counts = wanted > 0;
      wanted -= counts ? 1 : 0;
      mirrored -= counts ? 1 : 0;
      then(instance.distance(NodeId(from), NodeId(to)), counts ? 1U : 0U);
      wanted += counts ? 1 : 0;
      mirrored += counts ? 1 : 0;
    };
    if (place == order.size()) {
      leg(at, 0, [&](double home, std::size_t found) {
        if (missing == found) best = std::min(best, length + home);
      });
      return;
    }
    const std::size_t next = order[place];
    const std::int64_t demand = instance.demands[next];
    if (load + demand <= instance.capacity) {
      leg(at, next, [&](double step, std::size_t found) {
        self(self, place + 1, next, load + demand, length + step, missing - found);
      });
    }
    if (at == 0) return;
    leg(at, 0, [&](double home, std::size_t found) {
      self(self, place, 0, 0, length + home, missing - found);
    });
  };
  do {
    go_on(go_on, 0, 0, 0, 0, forced.size());
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(CvrpForcedEdges, AreInEverySolution) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const std::size_t customers = 1 + (seed % 2 == 0 ? seed / 2 % 12 : seed % 90);
    const Instance instance = any_cvrp_instance(customers, seed);
    Rng rng(seed, 51);
    const auto forced = some_of(solution_edges(instance, random_routes(instance, seed)),
                                kForcedShares[seed % kForcedShares.size()], rng);
    const Solution found = solve_cvrp(instance, fixing(forced, 300, seed));
    const CheckResult judged = check(instance, found);
    ASSERT_TRUE(judged.feasible) << judged.reason << ", seed " << seed;
    ASSERT_TRUE(has_edges(instance, found, forced)) << "seed " << seed;
  }
}

TEST(CvrpForcedEdges, LeaveTheBestSolutionThatHasThemOnTinyInstances) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t customers = seed % 50 == 0 ? 8 : 1 + seed % 6;
    const Instance instance = any_cvrp_instance(customers, seed);
    Rng rng(seed, 52);
    const auto forced = some_of(solution_edges(instance, random_routes(instance, seed)),
                                kForcedShares[rng.below(kForcedShares.size())], rng);
    const double best = best_routes_with(instance, forced);
    const double found = require_feasible(instance, solve_cvrp(instance, fixing(forced, 2000)));
    EXPECT_NEAR(found, best, 1e-9 * std::max(1.0, best)) << customers << ", seed " << seed;
  }
}

TEST(CvrpForcedEdges, MayBeTheWholeSolution) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Instance instance = any_cvrp_instance(1 + seed, seed);
    const Solution solution = random_routes(instance, seed);
    Rng rng(seed, 53);
    const auto forced = some_of(solution_edges(instance, solution), 1, rng);
    EXPECT_DOUBLE_EQ(require_feasible(instance, solve_cvrp(instance, fixing(forced, 500))),
                     require_feasible(instance, solution));
  }
}

TEST(CvrpForcedEdges, OfAGoodSolutionLeadBackToIt) {
  double whole = 0, completed = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    GeneratorOptions generator;
    generator.kind = ProblemKind::cvrp;
    const Instance instance = generate(generator, i);
    const Solution solution = solve_cvrp(instance, fixing({}, 20'000));
    Rng rng(i, 54);
    const auto forced = some_of(solution_edges(instance, solution), 0.6, rng);
    whole += require_feasible(instance, solution);
    completed += require_feasible(instance, solve_cvrp(instance, fixing(forced, 5000)));
  }
  EXPECT_LT(completed, 1.004 * whole);
}

TEST(CvrpForcedEdges, OfFinishedRoutesLeaveAPlainInstance) {
  // With whole routes only, what remains is solved as an instance of its own, genetic search and
  // all: the same cost as without those customers.
  GeneratorOptions generator;
  generator.kind = ProblemKind::cvrp;
  generator.nodes = 40;
  const Instance instance = generate(generator, 7);
  const Routes routes = to_routes(*savings_routes(instance, Deadline()));
  const Route& done = routes.front();
  const auto forced = solution_edges(instance, from_routes({done}));
  Instance rest = instance;
  rest.points = {instance.points[0]};
  rest.demands = {0};
  for (std::size_t i = 1; i < instance.size(); ++i) {
    if (std::find(done.begin(), done.end(), NodeId(i)) != done.end()) continue;
    rest.points.push_back(instance.points[i]);
    rest.demands.push_back(instance.demands[i]);
  }
  EXPECT_NEAR(require_feasible(instance, solve_cvrp(instance, fixing(forced, 3000))),
              cost(instance, from_routes({done})) +
                  require_feasible(rest, solve_cvrp(rest, fixing({}, 3000))),
              1e-9);
}

TEST(CvrpForcedEdges, CostNothingWhenThereAreNone) {
  // Costs of the search as it was when it began to put routes into groups (320 customers) and to
  // breed in broods from the annealing's way (fewer); whole numbers, so exact.
  struct Known {
    std::size_t customers;
    std::uint64_t index;
    double cost;
  };
  constexpr std::array kKnown{
      Known{5, 0, 3213},    Known{5, 1, 2401},    Known{5, 2, 3015},     Known{20, 0, 5804},
      Known{20, 1, 4645},   Known{20, 2, 3944},   Known{60, 0, 10496},   Known{60, 1, 8109},
      Known{60, 2, 30200},  Known{120, 0, 16205}, Known{120, 1, 31489},  Known{120, 2, 21248},
      Known{320, 0, 69060}, Known{320, 1, 50964}, Known{320, 2, 103119},
  };
  for (const Known& known : kKnown) {
    GeneratorOptions generator;
    generator.kind = ProblemKind::cvrp;
    generator.nodes = known.customers;
    generator.distribution = Distribution::x;
    const Instance instance = generate(generator, known.index);
    const Solution found = solve_cvrp(instance, fixing({}, 2000, known.index));
    EXPECT_EQ(require_feasible(instance, found), known.cost) << known.customers;
  }
}

TEST(CvrpForcedEdges, StayWhenThereIsNoTimeAtAll) {
  const Instance instance = cvrp_instance(300, 0, 1);
  Rng rng(1, 55);
  const auto forced = some_of(solution_edges(instance, random_routes(instance, 1)), 0.5, rng);
  CvrpExpertOptions options = fixing(forced, 0);
  options.deadline = Deadline::after(0);
  const Solution found = solve_cvrp(instance, options);
  EXPECT_GT(require_feasible(instance, found), 0);
  EXPECT_TRUE(has_edges(instance, found, forced));
}

TEST(CvrpForcedEdges, AreRefusedWithTheReasonWhenTheyFormNoPathsOrDoNotFit) {
  Instance instance = cvrp_instance(6, 0, 1);
  instance.demands = {0, 4, 4, 4, 4, 4, 4};
  instance.capacity = 10;
  const auto refusal = [&](const std::vector<std::pair<int, int>>& pairs) {
    const auto forced = edges_between(pairs);
    return refusal_of([&] { return solve_cvrp(instance, fixing(forced, 100)); });
  };
  EXPECT_EQ(refusal({{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 0}, {4, 0}, {5, 6}}), "");
  EXPECT_EQ(refusal({{1, 7}}),
            "a forced edge names node number 8, which is not in the instance (7 nodes)");
  EXPECT_EQ(refusal({{0, 0}}), "a forced edge goes from node 1 to itself");
  EXPECT_EQ(refusal({{0, 1}, {1, 2}, {3, 1}}), "node 2 has three forced edges");
  EXPECT_EQ(refusal({{0, 1}, {1, 0}, {0, 1}}), "node 2 has three forced edges");
  EXPECT_EQ(refusal({{1, 2}, {2, 1}}), "the forced edge between node 3 and node 2 is given twice");
  EXPECT_EQ(refusal({{1, 2}, {2, 3}}),
            "the forced path between node 2 and node 4 carries 12, more than the capacity 10");
  instance.capacity = 100;
  EXPECT_EQ(refusal({{1, 2}, {2, 3}, {3, 1}}),
            "the forced edge between node 4 and node 2 closes a cycle that misses the depot");
}

TEST(CvrpStart, IsNeverMadeLongerAndKeepsForcedEdges) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Instance instance = any_cvrp_instance(1 + seed % 60, seed);
    // Half of the starts are good already.
    const Solution start =
        seed % 4 < 2 ? random_routes(instance, seed) : solve_cvrp(instance, fixing({}, 1000, seed));
    Rng rng(seed, 56);
    const auto forced = some_of(solution_edges(instance, start), seed % 2 == 0 ? 0.4 : 0, rng);
    CvrpExpertOptions options = fixing(forced, 1 + seed % 100, seed);
    options.start = &start;
    const Solution found = solve_cvrp(instance, options);
    ASSERT_TRUE(has_edges(instance, found, forced)) << "seed " << seed;
    ASSERT_LE(require_feasible(instance, found), require_feasible(instance, start) * (1 + 1e-12))
        << "seed " << seed;
  }
}

TEST(CvrpStart, IsRefusedWithTheReasonWhenItIsNoSolutionOrLacksAForcedEdge) {
  Instance instance = cvrp_instance(4, 0, 1);
  instance.demands = {0, 1, 1, 1, 1};
  instance.capacity = 4;
  const auto refusal = [&](const Routes& routes, const std::vector<std::pair<int, int>>& pairs) {
    const auto forced = edges_between(pairs);
    const Solution start = from_routes(routes);
    CvrpExpertOptions options = fixing(forced, 100);
    options.start = &start;
    return refusal_of([&] { return solve_cvrp(instance, options); });
  };
  const Route all{NodeId(1), NodeId(2), NodeId(3), NodeId(4)};
  EXPECT_EQ(refusal({all}, {{3, 2}, {4, 0}}), "");
  EXPECT_EQ(refusal({all}, {{2, 4}}), "the start lacks a forced edge of node 3");
  EXPECT_EQ(refusal({all}, {{3, 0}}), "the start lacks a forced edge of node 4");
  EXPECT_EQ(refusal({all}, {{4, 0}, {4, 0}}), "the start lacks a forced edge of node 5");
  EXPECT_EQ(refusal({{NodeId(1), NodeId(2), NodeId(3)}}, {}),
            "the start is no solution: node 5 is never visited");
}

}  // namespace
}  // namespace eco
