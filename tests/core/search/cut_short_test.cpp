// What is left when time is short: the work stops soon after the deadline, and what comes out is
// whole and worth having.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stop_token>

#include "core/geometry/kd_tree.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"
#include "core/search/construct/straighten.h"
#include "core/search/cvrp_instances.h"
#include "core/search/in_order.h"
#include "core/search/local_search.h"
#include "core/search/neighbours.h"
#include "problems/tsp/construct/insertion.h"
#include "problems/tsp/construct/near_insertion.h"

namespace eco {
namespace {

using testing::cvrp_instance;
using testing::kDemandShapes;
using testing::kShapes;
using testing::random_matrix;
using testing::random_routes;
using testing::random_tour;
using testing::tsp_instance;
using testing::with_demands;

const Deadline kOver = Deadline::after(0);

double cost_of(const Instance& instance, const Solution& solution) {
  return require_feasible(instance, solution);
}

TEST(VisitInOrder, GivesTheOrderOfASort) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U, 100'000U, 1'500'000U}) {
    std::vector<std::uint64_t> items(count);
    Rng rng(count);
    for (auto& item : items) item = rng.next_u64() % (count + 1);
    std::vector<std::uint64_t> expected = items, visited;
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(visit_in_order(items, std::less<>(), {},
                               [&](std::uint64_t item) { visited.push_back(item); }));
    EXPECT_EQ(visited, expected);
  }
}

TEST(VisitInOrder, StopsSoonAfterTheDeadline) {
  std::vector<std::uint32_t> items(200'000);
  std::iota(items.rbegin(), items.rend(), 0U);
  std::stop_source stop;
  std::size_t visits = 0;
  EXPECT_FALSE(visit_in_order(items, std::less<>(), Deadline::when_cancelled(stop.get_token()),
                              [&](std::uint32_t) {
                                if (++visits == 5000) stop.request_stop();
                              }));
  EXPECT_LE(visits, 5000U + 1024U);
  EXPECT_FALSE(visit_in_order(items, std::less<>(), kOver,
                              [](std::uint32_t) { FAIL() << "visited after the deadline"; }));
}

TEST(NeighbourLists, AreIncompleteIfTheDeadlineComesFirst) {
  for (const Instance& instance :
       {tsp_instance(500, 0, 1), tsp_instance(500, 7, 1), random_matrix(100, 1)}) {
    EXPECT_TRUE(NeighbourLists(instance, 5).complete());
    EXPECT_TRUE(NeighbourLists(instance, 5, Deadline::after(1e6)).complete());
    EXPECT_FALSE(NeighbourLists(instance, 5, kOver).complete());
  }
}

TEST(KdTree, FindsAllWithinACircle) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Instance instance = tsp_instance(80, seed % kShapes, seed);
    KdTree tree(instance.points);
    for (std::uint32_t node = 0; node < 80; node += 3) tree.remove(node);
    const Point& middle = instance.points[seed];
    const Point& edge = instance.points[79 - seed];
    const double radius =
        (edge.x - middle.x) * (edge.x - middle.x) + (edge.y - middle.y) * (edge.y - middle.y);
    std::vector<std::uint32_t> found, expected;
    tree.each_within(middle, radius, [&](std::uint32_t node, double) { found.push_back(node); });
    for (std::uint32_t node = 0; node < 80; ++node) {
      const double dx = instance.points[node].x - middle.x, dy = instance.points[node].y - middle.y;
      if (node % 3 != 0 && dx * dx + dy * dy <= radius) expected.push_back(node);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}

TEST(Straighten, NeverLengthensAndKeepsEveryRoute) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t nodes = 1 + seed / 2;
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed)}) {
      Solution tour = random_tour(nodes, seed);
      const double before = cost_of(instance, tour);
      straighten(instance, tour);
      EXPECT_LE(cost_of(instance, tour), before * (1 + 1e-12));
    }
    const Instance instance = cvrp_instance(nodes, seed % (kShapes * kDemandShapes), seed);
    Solution plan = random_routes(instance, seed);
    const Routes routes_before = to_routes(plan);
    const double before = cost_of(instance, plan);
    straighten(instance, plan);
    EXPECT_LE(cost_of(instance, plan), before * (1 + 1e-12));
    const Routes routes = to_routes(plan);
    ASSERT_EQ(routes.size(), routes_before.size());
    for (std::size_t r = 0; r < routes.size(); ++r) {
      EXPECT_TRUE(std::is_permutation(routes[r].begin(), routes[r].end(), routes_before[r].begin(),
                                      routes_before[r].end()));
    }
  }
}

TEST(Curve, SolutionsAreFeasibleForEveryShapeAndSize) {
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    const std::size_t nodes = 1 + seed / 3;
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed),
          cvrp_instance(nodes, seed % (kShapes * kDemandShapes), seed),
          with_demands(random_matrix(nodes + 1, seed), seed, seed)}) {
      const CheckResult judged = check(instance, curve_solution(instance));
      ASSERT_TRUE(judged.feasible) << judged.reason;
    }
  }
}

// All ways to cut a short sequence are tried; customers on a line leave nothing to straighten.
TEST(Curve, CutsTheSequenceOfCustomersWhereItIsShortest) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Instance line;
    Rng rng(seed);
    for (int i = 0; i <= 9; ++i) line.points.push_back({static_cast<double>(i), 0});
    line.points[0] = {rng.uniform(-3, 12), rng.uniform(-3, 3)};
    const Instance instance = with_demands(line, seed % 4, seed);
    double shortest = std::numeric_limits<double>::infinity();
    for (unsigned cuts = 0; cuts < 256; ++cuts) {
      Routes routes(1);
      for (std::uint32_t customer = 1; customer <= 9; ++customer) {
        routes.back().emplace_back(customer);
        if (customer < 9 && ((cuts >> (customer - 1)) & 1U) != 0) routes.emplace_back();
      }
      const CheckResult judged = check(instance, from_routes(routes));
      if (judged.feasible) shortest = std::min(shortest, judged.cost);
    }
    EXPECT_NEAR(cost_of(instance, curve_solution(instance)), shortest, 1e-9) << seed;
  }
}

TEST(CutShort, TheCurveIsNoLongerThanANearestNeighbourTour) {
  double curve = 0, nearest = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Instance instance = tsp_instance(10'000, seed % 2, seed);
    curve += cost_of(instance, curve_solution(instance)) /
             cost_of(instance, construct(instance, ConstructMethod::nearest_neighbour, seed));
    nearest += 1;
  }
  EXPECT_LT(curve, nearest);
}

TEST(CutShort, AQuickSolutionIsANearestNeighboursOrBetterIfThereIsTime) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const Instance& instance :
         {tsp_instance(500, seed % kShapes, seed), cvrp_instance(500, seed % kShapes, seed)}) {
      const Solution nearest = construct(instance, ConstructMethod::nearest_neighbour, seed);
      EXPECT_LE(cost_of(instance, quick_solution(instance, seed, {})),
                cost_of(instance, nearest) * (1 + 1e-12));
      EXPECT_EQ(quick_solution(instance, seed, kOver), curve_solution(instance));
    }
  }
}

TEST(CutShort, EveryConstructionGivesWayAtTheDeadlineAndSaysSo) {
  const std::vector<ConstructMethod> tsp{ConstructMethod::nearest_neighbour,
                                         ConstructMethod::random_insertion,
                                         ConstructMethod::farthest_insertion};
  const std::vector<ConstructMethod> cvrp{ConstructMethod::nearest_neighbour,
                                          ConstructMethod::savings};
  for (const std::size_t nodes : {50U, 5000U}) {
    for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
      const Instance instance =
          kind == ProblemKind::tsp ? tsp_instance(nodes, 0, 1) : cvrp_instance(nodes, 0, 1);
      for (const ConstructMethod method : kind == ProblemKind::tsp ? tsp : cvrp) {
        const Construction cut = construct(instance, method, 3, kOver);
        EXPECT_FALSE(cut.complete);
        EXPECT_EQ(cut.solution, curve_solution(instance));
        std::stop_source stop;
        stop.request_stop();
        EXPECT_FALSE(
            construct(instance, method, 3, Deadline::when_cancelled(stop.get_token())).complete);
        const Construction whole = construct(instance, method, 3, Deadline::after(1e6));
        EXPECT_TRUE(whole.complete);
        EXPECT_EQ(whole.solution, construct(instance, method, 3));
      }
    }
  }
}

TEST(CutShort, RefinementLeavesTheSolutionAsItIs) {
  for (const Instance& instance : {tsp_instance(300, 0, 2), cvrp_instance(300, 0, 2)}) {
    const Solution start = construct(instance, ConstructMethod::nearest_neighbour, 1);
    Solution solution = start;
    const LocalSearchResult result = refine(instance, solution, kOver);
    EXPECT_EQ(solution, start);
    EXPECT_EQ(result.moves, 0U);
    EXPECT_FALSE(result.local_optimum);
    EXPECT_EQ(result.before, result.after);
  }
}

TEST(FarthestOrder, FollowsItsDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t nodes = 1 + 3 * seed;
    const auto points = tsp_instance(nodes, seed % kShapes, seed).points;
    const auto start = static_cast<std::uint32_t>(seed % nodes);
    const auto squared = [&](std::size_t a, std::size_t b) {
      const double dx = points[a].x - points[b].x, dy = points[a].y - points[b].y;
      return dx * dx + dy * dy;
    };
    std::vector<std::uint32_t> expected{start};
    while (expected.size() < nodes) {
      std::uint32_t farthest = 0;
      double distance = -1;
      for (std::uint32_t node = 0; node < nodes; ++node) {
        if (std::find(expected.begin(), expected.end(), node) != expected.end()) continue;
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::uint32_t inside : expected) {
          nearest = std::min(nearest, squared(inside, node));
        }
        if (nearest <= distance) continue;
        distance = nearest;
        farthest = node;
      }
      expected.push_back(farthest);
    }
    EXPECT_EQ(farthest_order(points, start, {}), expected) << seed;
  }
}

// With every node of the tour among the near ones, looking beside them is looking everywhere.
TEST(NearInsertion, IsTheExactOneWhileTheTourIsShort) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Instance instance = tsp_instance(11, 0, seed);
    EXPECT_NEAR(cost_of(instance, *random_insertion_tour(instance, seed, {}, 0)),
                cost_of(instance, *random_insertion_tour(instance, seed, {})), 1e-9);
    EXPECT_NEAR(cost_of(instance, *farthest_insertion_tour(instance, seed, {}, 0)),
                cost_of(instance, *farthest_insertion_tour(instance, seed, {})), 1e-9);
  }
}

TEST(NearInsertion, GivesToursOfTheSameLengthToWithinAPercent) {
  double near = 0, exact = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Instance instance = tsp_instance(2000, seed % 2, seed);
    const double scale = cost_of(instance, *farthest_insertion_tour(instance, seed, {}));
    exact += 1 + cost_of(instance, *random_insertion_tour(instance, seed, {})) / scale;
    near += cost_of(instance, *farthest_insertion_tour(instance, seed, {}, 0)) / scale +
            cost_of(instance, *random_insertion_tour(instance, seed, {}, 0)) / scale;
  }
  EXPECT_NEAR(near / exact, 1, 0.01);
}

TEST(NearInsertion, SurvivesEveryShape) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const Instance instance = tsp_instance(1 + 7 * seed, seed % kShapes, seed);
    EXPECT_TRUE(check(instance, *random_insertion_tour(instance, seed, {}, 0)).feasible);
    EXPECT_TRUE(check(instance, *farthest_insertion_tour(instance, seed, {}, 0)).feasible);
  }
}

}  // namespace
}  // namespace eco
