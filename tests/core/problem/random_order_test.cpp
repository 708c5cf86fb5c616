#include "core/problem/random_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/problem/check.h"

namespace eco {
namespace {

Solution ids(const std::vector<std::size_t>& nodes) {
  Solution solution;
  for (const std::size_t node : nodes) solution.sequence.emplace_back(node);
  return solution;
}

Instance cvrp_on_a_line() {
  // depot at 0; customers 1..6 at x = 1..6, capacity for two each
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  for (int x = 0; x <= 6; ++x) instance.points.push_back({static_cast<double>(x), 0});
  instance.demands = {0, 1, 1, 1, 1, 1, 1};
  instance.capacity = 2;
  return instance;
}

TEST(RandomStart, IsTheSameCycleFromEveryNodeInBothDirections) {
  const Solution tour = ids({0, 3, 1, 4, 2});
  std::set<std::vector<std::size_t>> seen;
  for (std::uint64_t stream = 0; stream < 400; ++stream) {
    Rng rng(1, stream);
    std::vector<std::size_t> nodes;
    for (const NodeId node : random_start(tour, rng)) nodes.push_back(node.index());
    // Neighbours in the new order are neighbours on the cycle.
    for (std::size_t i = 0; i < 5; ++i) {
      const auto at = [&](std::size_t node) {
        return std::find(tour.sequence.begin(), tour.sequence.end(), NodeId(node)) -
               tour.sequence.begin();
      };
      const auto apart = std::abs(at(nodes[i]) - at(nodes[(i + 1) % 5]));
      EXPECT_TRUE(apart == 1 || apart == 4);
    }
    seen.insert(nodes);
  }
  EXPECT_EQ(seen.size(), 10U);
}

TEST(ShuffledRoutes, KeepsTheRoutes) {
  const Instance instance = cvrp_on_a_line();
  const Solution label = ids({0, 1, 2, 0, 3, 4, 0, 5, 6, 0});
  const double cost = require_feasible(instance, label);
  std::set<std::vector<std::size_t>> seen;
  for (std::uint64_t stream = 0; stream < 600; ++stream) {
    Rng rng(1, stream);
    const Solution shuffled = shuffled_routes(label, rng);
    EXPECT_DOUBLE_EQ(require_feasible(instance, shuffled), cost);
    std::vector<std::size_t> nodes;
    for (const NodeId node : shuffled.sequence) nodes.push_back(node.index());
    seen.insert(nodes);
  }
  EXPECT_EQ(seen.size(), 48U);  // 3! orders, 2^3 directions
}

}  // namespace
}  // namespace eco
