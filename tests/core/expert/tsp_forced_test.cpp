#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/expert/forced_sets.h"
#include "core/instance/distance.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/search/tsp_instances.h"
#include "problems/tsp/expert/ils.h"
#include "problems/tsp/expert/or_opt.h"

namespace eco {
namespace {

using testing::edges_between;
using testing::has_edges;
using testing::kForcedShares;
using testing::kShapes;
using testing::random_matrix;
using testing::random_tour;
using testing::refusal_of;
using testing::solution_edges;
using testing::some_of;
using testing::tsp_instance;

IlsOptions forcing(const std::vector<Edge>& forced, std::uint64_t iterations = 0) {
  IlsOptions options;
  options.iterations = iterations;
  options.forced = forced;
  return options;
}

double best_tour_with(const Instance& instance, const std::vector<Edge>& forced) {
  const std::size_t nodes = instance.size();
  std::vector<std::size_t> wanted(nodes * nodes, 0);
  for (const Edge& edge : forced) {
    wanted[edge.a.index() * nodes + edge.b.index()] = 1;
    wanted[edge.b.index() * nodes + edge.a.index()] = 1;
  }
  double best = std::numeric_limits<double>::infinity();
  Solution tour;
  for (std::size_t i = 0; i < nodes; ++i) tour.sequence.emplace_back(i);
  do {
    std::size_t found = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
      found += wanted[tour.sequence[i].index() * nodes + tour.sequence[(i + 1) % nodes].index()];
    }
    if (found >= forced.size()) best = std::min(best, check(instance, tour).cost);
  } while (std::next_permutation(tour.sequence.begin() + 1, tour.sequence.end()));
  return best;
}

TEST(TspForcedEdges, AreInEveryTour) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::size_t nodes = 1 + (seed % 2 == 0 ? seed / 2 % 12 : seed);
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed)}) {
      Rng rng(seed, 41);
      const double share = kForcedShares[seed % kForcedShares.size()];
      const auto forced = some_of(solution_edges(instance, random_tour(nodes, seed)), share, rng);
      const Solution tour = solve_tsp(instance, forcing(forced, 40));
      const CheckResult judged = check(instance, tour);
      ASSERT_TRUE(judged.feasible) << judged.reason << ", seed " << seed;
      ASSERT_TRUE(has_edges(instance, tour, forced)) << "seed " << seed;
    }
  }
}

TEST(TspForcedEdges, LeaveTheBestTourThatHasThemOnSmallInstances) {
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    const std::size_t nodes = seed % 24 == 0 ? 9 : 2 + seed % 7;
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed)}) {
      Rng rng(seed, 42);
      const double share = kForcedShares[rng.below(kForcedShares.size())];
      const auto forced = some_of(solution_edges(instance, random_tour(nodes, seed)), share, rng);
      const double best = best_tour_with(instance, forced);
      const double found = check(instance, solve_tsp(instance, forcing(forced, 200))).cost;
      ASSERT_NEAR(found, best, 1e-9 * best) << nodes << " nodes, seed " << seed;
    }
  }
}

TEST(TspForcedEdges, MayBeTheWholeTourOrAllButOne) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t nodes = 2 + seed;
    const Instance instance = tsp_instance(nodes, seed % kShapes, seed);
    const Solution tour = random_tour(nodes, seed);
    const double cost = check(instance, tour).cost;
    Rng rng(seed, 43);
    auto forced = some_of(solution_edges(instance, tour), 1, rng);
    EXPECT_DOUBLE_EQ(check(instance, solve_tsp(instance, forcing(forced))).cost, cost);
    forced.pop_back();
    EXPECT_DOUBLE_EQ(check(instance, solve_tsp(instance, forcing(forced))).cost, cost);
  }
}

TEST(TspForcedEdges, OfAGoodTourLeadBackToIt) {
  double whole = 0, completed = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Instance instance = tsp_instance(500, 0, seed);
    const Solution tour = solve_tsp(instance, forcing({}, 5000));
    Rng rng(seed, 44);
    const auto forced = some_of(solution_edges(instance, tour), 0.6, rng);
    whole += check(instance, tour).cost;
    completed += check(instance, solve_tsp(instance, forcing(forced))).cost;
  }
  EXPECT_LT(completed, 1.002 * whole);
}

TEST(TspForcedEdges, CostNothingWhenThereAreNone) {
  // Costs of the search as it was before it knew forced edges (400 nodes: when its lists began to
  // look into every quarter of the plane); whole numbers, so exact.
  struct Known {
    std::size_t nodes;
    std::uint64_t index;
    double cost;
  };
  constexpr std::array kKnown{
      Known{5, 0, 2515},    Known{5, 1, 1462},    Known{5, 2, 2348},   Known{8, 0, 2823},
      Known{8, 1, 2758},    Known{8, 2, 2499},    Known{40, 0, 5753},  Known{40, 1, 4602},
      Known{40, 2, 3415},   Known{150, 0, 9748},  Known{150, 1, 8911}, Known{150, 2, 5707},
      Known{400, 0, 15162}, Known{400, 1, 13769}, Known{400, 2, 9589},
  };
  for (const Known& known : kKnown) {
    GeneratorOptions generator;
    generator.nodes = known.nodes;
    generator.distribution = Distribution::x;
    const Instance instance = generate(generator, known.index);
    IlsOptions options;
    options.iterations = 60;
    options.seed = known.index;
    EXPECT_EQ(check(instance, solve_tsp(instance, options)).cost, known.cost) << known.nodes;
  }
}

TEST(TspForcedEdges, StayWhenThereIsNoTimeAtAll) {
  const Instance instance = tsp_instance(2000, 1, 3);
  Rng rng(3, 45);
  const auto forced = some_of(solution_edges(instance, random_tour(2000, 3)), 0.5, rng);
  IlsOptions options = forcing(forced);
  options.deadline = Deadline::after(0);
  const Solution tour = solve_tsp(instance, options);
  EXPECT_TRUE(check(instance, tour).feasible);
  EXPECT_TRUE(has_edges(instance, tour, forced));
}

TEST(TspForcedEdges, AreRefusedWithTheReasonWhenTheyFormNoPaths) {
  Instance instance = tsp_instance(6, 0, 1);
  const auto refusal = [&](const std::vector<std::pair<int, int>>& pairs) {
    const auto forced = edges_between(pairs);
    return refusal_of([&] { return solve_tsp(instance, forcing(forced)); });
  };
  EXPECT_EQ(refusal({{0, 1}, {1, 2}, {3, 4}}), "");
  EXPECT_EQ(refusal({{0, 6}}),
            "a forced edge names node number 7, which is not in the instance (6 nodes)");
  EXPECT_EQ(refusal({{2, 2}}), "a forced edge goes from node 3 to itself");
  EXPECT_EQ(refusal({{0, 1}, {1, 2}, {3, 1}}), "node 2 has three forced edges");
  EXPECT_EQ(refusal({{0, 1}, {1, 0}}), "the forced edge between node 2 and node 1 is given twice");
  EXPECT_EQ(refusal({{0, 1}, {3, 4}, {1, 2}, {2, 0}}),
            "the forced edge between node 3 and node 1 closes a cycle before all nodes are in it");
  instance.labels = {10, 20, 30, 40, 50, 60};
  EXPECT_EQ(refusal({{2, 2}}), "a forced edge goes from node 30 to itself") << "the user's names";
}

TEST(TspStart, IsNeverMadeLongerAndKeepsForcedEdges) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t nodes = 1 + seed;
    const Instance instance = tsp_instance(nodes, seed % kShapes, seed);
    Rng rng(seed, 46);
    // Half of the starts are good already.
    const Solution start =
        seed % 4 < 2 ? random_tour(nodes, seed) : solve_tsp(instance, forcing({}, 300));
    const auto forced = some_of(solution_edges(instance, start), seed % 2 == 0 ? 0.4 : 0, rng);
    IlsOptions options = forcing(forced, 1);
    options.start = &start;
    const Solution tour = solve_tsp(instance, options);
    const CheckResult judged = check(instance, tour);
    ASSERT_TRUE(judged.feasible) << judged.reason;
    ASSERT_TRUE(has_edges(instance, tour, forced)) << "seed " << seed;
    ASSERT_LE(judged.cost, check(instance, start).cost * (1 + 1e-12)) << "seed " << seed;
  }
}

TEST(TspStart, IsWhereTheSearchBegins) {
  // No time for more than one descent, which stays close to the good start.
  const Instance instance = tsp_instance(200, 0, 9);
  const Solution start = solve_tsp(instance, forcing({}, 3000));
  IlsOptions options;
  options.deadline = Deadline::after(0);
  const double without = check(instance, solve_tsp(instance, options)).cost;
  options.start = &start;
  const double with = check(instance, solve_tsp(instance, options)).cost;
  EXPECT_LE(with, check(instance, start).cost);
  EXPECT_LT(with, without);
}

TEST(TspStart, IsRefusedWithTheReasonWhenItIsNoTourOrLacksAForcedEdge) {
  const Instance instance = tsp_instance(6, 0, 1);
  Solution start = random_tour(6, 2);
  const std::vector<Edge> one = {{start.sequence[0], start.sequence[1]}};
  IlsOptions options = forcing(one);
  options.start = &start;
  EXPECT_EQ(refusal_of([&] { return solve_tsp(instance, options); }), "");
  std::swap(start.sequence[1], start.sequence[3]);
  EXPECT_NE(refusal_of([&] { return solve_tsp(instance, options); }).find("lacks a forced edge"),
            std::string::npos);
  start.sequence.pop_back();
  EXPECT_NE(refusal_of([&] { return solve_tsp(instance, options); }).find("is never visited"),
            std::string::npos);
}

TEST(OrOpt, NeverPartsTiedNodesAndGainsTruly) {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const std::size_t nodes = 4 + (seed % 2 == 0 ? seed / 2 % 7 : seed % 80);
    const Instance instance = tsp_instance(nodes, seed % kShapes, seed);
    const NeighbourLists neighbours(instance, 3 + seed % 6);
    const Solution start = random_tour(nodes, seed);
    std::vector<std::uint32_t> order, partner(nodes);
    for (const NodeId node : start.sequence) {
      order.push_back(static_cast<std::uint32_t>(node.index()));
    }
    for (std::uint32_t node = 0; node < nodes; ++node) partner[node] = node;
    std::vector<Edge> tied;
    Rng rng(seed, 47);
    for (std::size_t i = 1; i < nodes; ++i) {
      if (rng.below(2) == 0 || partner[order[i - 1]] != order[i - 1]) continue;
      partner[order[i - 1]] = order[i];
      partner[order[i]] = order[i - 1];
      tied.push_back({NodeId(order[i - 1]), NodeId(order[i])});
    }
    const double before = check(instance, start).cost;
    with_distance(instance, [&](auto distance) {
      OrOpt search(distance, neighbours, Partners{partner});
      search.set_tolerance(1e-13 * before);
      search.tour().assign(order);
      for (std::uint32_t node = 0; node < nodes; ++node) search.wake(node);
      const double gained = search.settle({});
      Solution tour;
      for (const std::uint32_t node : search.tour().order()) tour.sequence.emplace_back(node);
      ASSERT_TRUE(has_edges(instance, tour, tied)) << "seed " << seed;
      ASSERT_NEAR(before - check(instance, tour).cost, gained, 1e-9 * std::max(1.0, before));
    });
  }
}

}  // namespace
}  // namespace eco
