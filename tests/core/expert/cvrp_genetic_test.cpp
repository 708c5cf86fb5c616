#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/search/cvrp_instances.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/cvrp/expert/education.h"
#include "problems/cvrp/expert/genetic_search.h"
#include "problems/cvrp/expert/linked_routes.h"
#include "problems/cvrp/expert/split.h"
#include "problems/cvrp/expert/swap_star.h"

namespace eco {
namespace {

using testing::cvrp_instance;
using testing::kDemandShapes;
using testing::kShapes;
using testing::random_routes;

struct Judged {
  double length = 0;
  std::int64_t excess = 0;
  std::vector<std::uint32_t> customers;  // sorted
  [[nodiscard]] double penalised(double penalty) const {
    return length + penalty * static_cast<double>(excess);
  }
};

Judged judge(const Instance& instance, const CustomerRoutes& routes) {
  Judged judged;
  for (const auto& route : routes) {
    NodeId last = kDepot;
    std::int64_t load = 0;
    for (const std::uint32_t customer : route) {
      judged.length += instance.distance(last, NodeId(customer));
      last = NodeId(customer);
      load += instance.demands[customer];
      judged.customers.push_back(customer);
    }
    judged.length += instance.distance(last, kDepot);
    judged.excess += std::max<std::int64_t>(0, load - instance.capacity);
  }
  std::sort(judged.customers.begin(), judged.customers.end());
  return judged;
}

std::vector<std::uint32_t> all_customers(const Instance& instance) {
  std::vector<std::uint32_t> customers(instance.customers());
  std::iota(customers.begin(), customers.end(), 1U);
  return customers;
}

// A random order cut at random places: overloaded as often as not.
CustomerRoutes careless_routes(const Instance& instance, std::uint64_t seed) {
  Rng rng(seed, 21);
  std::vector<std::uint32_t> order = all_customers(instance);
  rng.shuffle(std::span(order));
  CustomerRoutes routes(1);
  for (const std::uint32_t customer : order) {
    if (!routes.back().empty() && rng.below(5) == 0) routes.emplace_back();
    routes.back().push_back(customer);
  }
  return routes;
}

TEST(CvrpSplit, CutsAGiantTourAtTheLeastPenalisedLength) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Instance instance = cvrp_instance(1 + seed % 8, seed % (kShapes * kDemandShapes), seed);
    const DistanceTable distance(instance);
    std::vector<std::uint32_t> order = all_customers(instance);
    Rng(seed, 22).shuffle(std::span(order));
    const double penalty = seed % 2 == 0 ? 1e6 : 0.05;
    const double found =
        judge(instance, split(instance, distance, order, penalty)).penalised(penalty);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t mask = 0; mask < (std::size_t{1} << (order.size() - 1)); ++mask) {
      CustomerRoutes routes(1);
      bool in_bounds = true;
      for (std::size_t i = 0; i < order.size(); ++i) {
        routes.back().push_back(order[i]);
        if (((mask >> i) & 1U) != 0) routes.emplace_back();
      }
      for (const auto& route : routes) {
        std::int64_t load = 0;
        for (const std::uint32_t customer : route) load += instance.demands[customer];
        in_bounds = in_bounds && (route.size() == 1 || 2 * load <= 3 * instance.capacity);
      }
      if (in_bounds) best = std::min(best, judge(instance, routes).penalised(penalty));
    }
    EXPECT_NEAR(found, best, 1e-9 * std::max(1.0, best)) << "seed " << seed;
  }
}

TEST(CvrpEducation, NeverRaisesThePenalisedLengthNorLosesACustomer) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::size_t customers = 1 + Rng(seed, 23).below(60);
    const Instance instance = cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    const DistanceTable distance(instance);
    const NeighbourLists neighbours(instance, 30);
    Education education(instance, distance, neighbours);
    Rng rng(seed);
    for (const double penalty : {0.0, 0.01, 1.0, 1000.0}) {
      CustomerRoutes routes = careless_routes(instance, seed);
      const double before = judge(instance, routes).penalised(penalty);
      education.improve(routes, penalty, rng);
      const Judged after = judge(instance, routes);
      ASSERT_EQ(after.customers, all_customers(instance)) << "seed " << seed;
      ASSERT_LE(after.penalised(penalty), before * (1 + 1e-12)) << "seed " << seed;
      const double reached = after.penalised(penalty);
      education.improve(routes, penalty, rng);
      ASSERT_LE(judge(instance, routes).penalised(penalty), reached * (1 + 1e-12));
    }
  }
}

TEST(CvrpEducation, RepairsOverloadedRoutesWhenThePenaltyIsHigh) {
  GeneratorOptions generator;
  generator.kind = ProblemKind::cvrp;
  int feasible = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Instance instance = generate(generator, i);
    const DistanceTable distance(instance);
    const NeighbourLists neighbours(instance, 30);
    Education education(instance, distance, neighbours);
    Rng rng(i);
    CustomerRoutes routes = careless_routes(instance, i);
    education.improve(routes, 100.0, rng);
    if (judge(instance, routes).excess == 0) ++feasible;
  }
  EXPECT_EQ(feasible, 20);
}

TEST(CvrpSwapStar, ExchangesCustomersToTheirBestPlacesAndReportsTruly) {
  std::size_t moves = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::size_t customers = 2 + Rng(seed, 24).below(30);
    const Instance instance = cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    const DistanceTable distance(instance);
    const NeighbourLists neighbours(instance, 5);
    SwapStar swap_star(instance, distance);
    RouteState state(instance, neighbours, false);
    CustomerRoutes routes = careless_routes(instance, seed);
    state.assign(routes);
    constexpr double kPenalty = 0.3;
    double cost = judge(instance, routes).penalised(kPenalty);
    for (int round = 0; round < 20 && routes.size() >= 2; ++round) {
      const auto a = static_cast<std::uint32_t>(round % routes.size());
      const auto b = static_cast<std::uint32_t>((round + 1) % routes.size());
      if (state.route(a).empty() || state.route(b).empty()) continue;
      const bool improved = swap_star.improve(state, a, b, kPenalty, 1e-9);
      CustomerRoutes changed;
      state.copy_to(changed);
      const Judged judged = judge(instance, changed);
      ASSERT_EQ(judged.customers, all_customers(instance));
      if (improved) {
        ASSERT_LT(judged.penalised(kPenalty), cost) << "seed " << seed;
        ++moves;
      } else {
        ASSERT_NEAR(judged.penalised(kPenalty), cost, 1e-9 * std::max(1.0, cost));
      }
      cost = judged.penalised(kPenalty);
    }
  }
  EXPECT_GT(moves, 300U);
}

// Two rays of full vehicles; 2 and 5 ride on the wrong ray, and their right places are not the
// places of each other.
TEST(CvrpSwapStar, FindsWhatAPlainSwapDoesNot) {
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  instance.points = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}};
  instance.demands = {0, 1, 1, 1, 1, 1, 1};
  instance.capacity = 3;
  const DistanceTable distance(instance);
  const NeighbourLists neighbours(instance, 5);
  SwapStar swap_star(instance, distance);
  RouteState state(instance, neighbours, false);
  state.assign(CustomerRoutes{{5, 1, 3}, {4, 6, 2}});
  EXPECT_TRUE(swap_star.improve(state, 0, 1, 1000.0, 1e-9));
  CustomerRoutes routes;
  state.copy_to(routes);
  EXPECT_DOUBLE_EQ(judge(instance, routes).length, 12.0);
}

TEST(CvrpIndividual, BrokenPairsIgnoreDirectionAndCountChanges) {
  const Instance instance = cvrp_instance(6, 0, 1);
  const auto of = [&](const CustomerRoutes& routes) {
    Individual individual;
    individual.next.assign(instance.size(), 0);
    individual.previous.assign(instance.size(), 0);
    for (const auto& route : routes) {
      for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        individual.next[route[i]] = route[i + 1];
        individual.previous[route[i + 1]] = route[i];
      }
    }
    return individual;
  };
  const Individual a = of({{1, 2, 3}, {4, 5, 6}});
  EXPECT_DOUBLE_EQ(broken_pairs(a, a), 0);
  EXPECT_DOUBLE_EQ(broken_pairs(a, of({{6, 5, 4}, {3, 2, 1}})), 0);
  EXPECT_GT(broken_pairs(a, of({{1, 2, 6}, {4, 5, 3}})), 0);
  EXPECT_GT(broken_pairs(a, of({{1, 4, 2, 5, 3, 6}})), broken_pairs(a, of({{1, 2, 6}, {4, 5, 3}})));
}

TEST(CvrpGeneticSearch, KeepsAFeasibleBestThatOnlyImproves) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t customers = 1 + Rng(seed, 25).below(40);
    const Instance instance = cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
    const DistanceTable distance(instance);
    const NeighbourLists neighbours(instance, 30);
    const Solution start = random_routes(instance, seed);
    GeneticSearch search(instance, distance, neighbours, std::span(&start, 1), seed);
    double best = require_feasible(instance, start);
    for (int i = 0; i < 17; ++i) {
      search.step();
      const double length = require_feasible(instance, search.best());
      ASSERT_LE(length, best * (1 + 1e-12));
      ASSERT_NEAR(length, search.best_length(), 1e-9 * std::max(1.0, length));
      best = length;
    }
  }
}

TEST(CvrpGeneticSearch, IsTheSameForAnyNumberOfThreads) {
  const Instance instance = cvrp_instance(40, 0, 3);
  const DistanceTable distance(instance);
  const NeighbourLists neighbours(instance, 30);
  const std::vector<Solution> first{random_routes(instance, 1), random_routes(instance, 2)};
  GeneticSearch one(instance, distance, neighbours, first, 5);
  GeneticSearch three(instance, distance, neighbours, first, 5, 3);
  for (int i = 0; i < 10; ++i) {
    one.step();
    three.step();
    ASSERT_EQ(one.best(), three.best());
  }
}

TEST(CvrpGeneticSearch, LeavesOutChildrenForWhichThereIsNoTime) {
  const Instance instance = cvrp_instance(40, 0, 3);
  const DistanceTable distance(instance);
  const NeighbourLists neighbours(instance, 30);
  const Solution start = random_routes(instance, 1);
  GeneticSearch search(instance, distance, neighbours, std::span(&start, 1), 5);
  search.step([](std::size_t) { return true; });
  EXPECT_EQ(search.best(), from_routes(to_routes(start)));
  search.step([](std::size_t child) { return child > 0; });  // one child, of random order
  EXPECT_LE(search.best_length(), require_feasible(instance, start));
}

TEST(CvrpLinkedRoutes, TakingOutAndPuttingBackInReverseOrderRestoresTheRoutes) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Instance instance = cvrp_instance(1 + seed % 50, seed % (kShapes * kDemandShapes), seed);
    const DistanceTable distance(instance, seed % 2 == 0 ? 0 : 2048);
    const Routes routes = to_routes(random_routes(instance, seed));
    LinkedRoutes linked(instance, distance, routes);
    Rng rng(seed, 26);
    struct Taken {
      std::uint32_t customer, previous, route;
    };
    std::vector<Taken> taken;
    double change = 0;
    for (std::size_t i = 0; i < instance.customers() / 2 + 1; ++i) {
      const auto customer = 1 + rng.below(static_cast<std::uint32_t>(instance.customers()));
      const LinkedRoutes::Stop stop = linked.stop(customer);
      if (stop.route == LinkedRoutes::kNone) continue;
      taken.push_back({customer, stop.previous, stop.route});
      change += linked.remove(customer);
    }
    for (; !taken.empty(); taken.pop_back()) {
      change += linked.insert(taken.back().customer, taken.back().previous, taken.back().route);
    }
    EXPECT_NEAR(change, 0, 1e-9);
    for (std::uint32_t r = 0; r < routes.size(); ++r) EXPECT_EQ(linked.nodes_of(r), routes[r]);
  }
}

}  // namespace
}  // namespace eco
