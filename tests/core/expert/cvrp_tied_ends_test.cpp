#include "problems/cvrp/search/tied_ends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/expert/forced_sets.h"
#include "core/problem/check.h"
#include "core/search/cvrp_instances.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/cvrp/expert/contracted.h"
#include "problems/cvrp/expert/greedy_insertion.h"
#include "problems/cvrp/expert/linked_routes.h"

namespace eco {
namespace {

using testing::any_cvrp_instance;
using testing::cvrp_instance;
using testing::has_edges;
using testing::kForcedShares;
using testing::kShapes;
using testing::random_routes;
using testing::solution_edges;
using testing::some_of;

TEST(CvrpContracted, ASolutionComesBackAsItWas) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Instance instance = any_cvrp_instance(1 + seed % 50, seed);
    const Solution solution = random_routes(instance, seed);
    Rng rng(seed, 57);
    const auto forced = some_of(solution_edges(instance, solution),
                                kForcedShares[seed % kForcedShares.size()], rng);
    if (forced.empty()) continue;
    const ForcedPaths paths(instance, forced);
    const Contracted contracted(instance, paths);
    const Solution back = contracted.expand(contracted.reduce(solution));
    ASSERT_NEAR(require_feasible(instance, back), require_feasible(instance, solution), 1e-9);
    ASSERT_TRUE(has_edges(instance, back, solution_edges(instance, solution)));
  }
}

TEST(CvrpLinkedRoutes, PutAPathInEitherWayRoundAndRestoreIt) {
  // Depot 0, customers 1 and 2, and the path 3 .. 4.
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  instance.points = {{0, 0}, {1, 0}, {4, 0}, {2, 0}, {3, 0}};
  instance.demands = {0, 1, 1, 5, 5};
  instance.capacity = 10;
  const std::array<std::uint32_t, 5> partner{0, 1, 2, 4, 3};
  const std::array<unsigned char, 5> at_depot{};
  const DistanceTable distance(instance);
  const Route start{NodeId(1), NodeId(4), NodeId(3), NodeId(2)};
  LinkedRoutes routes(instance, distance, {start}, {partner, at_depot, 1});
  EXPECT_EQ(routes.nodes_of(0), start);
  EXPECT_EQ(routes.route(0).stops, 3U);
  EXPECT_EQ(routes.route(0).load, 7) << "the load of the path counts once";
  EXPECT_EQ(routes.head_of(3), 4U);
  EXPECT_EQ(routes.stop_before(2), 4U);
  EXPECT_EQ(routes.stop_after(4), 2U);
  EXPECT_DOUBLE_EQ(routes.remove(3), -(2.0 + 2.0) + 3.0);
  EXPECT_DOUBLE_EQ(routes.insert(3, 1, 0), (1.0 + 1.0) - 3.0);
  EXPECT_EQ(routes.nodes_of(0), (Route{NodeId(1), NodeId(3), NodeId(4), NodeId(2)}));
  EXPECT_DOUBLE_EQ(routes.remove(4), 1.0);
  EXPECT_DOUBLE_EQ(routes.insert(4, 1, 0), 1.0);
  EXPECT_EQ(routes.nodes_of(0), start);
}

// The least growth of any place in any route, either way round, by trying all of them.
double cheapest_place(const Instance& instance, const LinkedRoutes& routes, std::uint32_t node) {
  const TiedEnds& fragments = routes.fragments();
  const std::uint32_t other = fragments.other_end(node);
  const auto distance = [&](std::uint32_t a, std::uint32_t b) {
    return instance.distance(NodeId(a), NodeId(b));
  };
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t r = 0; r < routes.routes(); ++r) {
    if (routes.route(r).stops == 0) continue;
    if (routes.route(r).load + instance.demands[node] > instance.capacity) continue;
    std::vector<std::uint32_t> stops{0};
    for (const NodeId id : routes.nodes_of(r)) {
      stops.push_back(static_cast<std::uint32_t>(id.index()));
    }
    stops.push_back(0);
    for (std::size_t i = 1; i < stops.size(); ++i) {
      const std::uint32_t before = stops[i - 1], behind = stops[i];
      if (before != 0 && behind != 0 && fragments.other_end(before) == behind) continue;
      if (before == 0 && fragments.tied_to_depot(behind)) continue;
      if (behind == 0 && fragments.tied_to_depot(before)) continue;
      for (const auto& [head, tail] : {std::pair(node, other), std::pair(other, node)}) {
        if (fragments.tied_to_depot(head) && before != 0) continue;
        if (fragments.tied_to_depot(tail) && behind != 0) continue;
        best = std::min(best,
                        distance(before, head) + distance(tail, behind) - distance(before, behind));
      }
    }
  }
  return best;
}

TEST(CvrpGreedyInsertion, PutsAPathWhereAndHowItIsCheapest) {
  std::size_t paths = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Instance whole = cvrp_instance(4 + seed % 40, seed % (2 * kShapes), seed);
    const Solution solution = random_routes(whole, seed);
    Rng rng(seed, 59);
    const auto forced = some_of(solution_edges(whole, solution), 0.5, rng);
    if (forced.empty()) continue;
    const ForcedPaths forced_paths(whole, forced);
    const Contracted contracted(whole, forced_paths);
    const Instance& instance = contracted.instance();
    const DistanceTable distance(instance);
    const NeighbourLists neighbours(instance, instance.size());
    GreedyInsertionOptions options;
    options.blink_probability = 1e-12;
    options.neighbours = instance.size();
    GreedyInsertion insertion(instance, distance, neighbours, contracted.fragments(), options);
    LinkedRoutes routes(instance, distance, to_routes(contracted.reduce(solution)),
                        contracted.fragments());
    const auto stops = static_cast<std::uint32_t>(contracted.stops());
    bool first = true;
    for (std::uint32_t node = 1; node <= stops; ++node) {
      if (routes.used_routes() < 2) break;
      (void)routes.remove(node);
      const double expected = cheapest_place(instance, routes, node);
      std::vector<std::uint32_t> absent{node};
      std::size_t inserted = 0;
      const double growth = insertion.recreate(routes, rng, absent, 1e9, inserted);
      ASSERT_EQ(inserted, 1U);
      if (expected == std::numeric_limits<double>::infinity()) continue;  // a route of its own
      if (std::exchange(first, false)) continue;  // it overlooks the first place that it sees
      ASSERT_NEAR(growth, expected, 1e-9 * std::max(1.0, std::abs(expected))) << "seed " << seed;
      paths += contracted.fragments().other_end(node) != node ? 1U : 0U;
    }
  }
  EXPECT_GT(paths, 300U);
}

TEST(CvrpSavings, JoinPathsAtTheirFreeEndsOnly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Instance instance = any_cvrp_instance(1 + seed % 50, seed);
    Rng rng(seed, 58);
    const auto forced = some_of(solution_edges(instance, random_routes(instance, seed)),
                                kForcedShares[seed % kForcedShares.size()], rng);
    if (forced.empty()) continue;
    const ForcedPaths paths(instance, forced);
    const Contracted contracted(instance, paths);
    if (contracted.stops() == 0) continue;
    const Instance& left = contracted.instance();
    const Solution routes = contracted.expand(
        *savings_routes(left, NeighbourLists(left, 20), {}, contracted.fragments()));
    EXPECT_GT(require_feasible(instance, routes) + 1, 0);
    EXPECT_TRUE(has_edges(instance, routes, forced)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace eco
