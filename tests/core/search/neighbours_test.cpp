#include "core/search/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/search/tsp_instances.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::random_matrix;
using testing::tsp_instance;

double squared(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

TEST(NeighbourLists, AreTheNearestNodesInOrderOfDistanceThenIndex) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const std::size_t nodes = 1 + seed;
    const Instance instance = tsp_instance(nodes, seed % 7, seed);  // degrees: next test
    const NeighbourLists lists(instance, 7);
    ASSERT_EQ(lists.k(), std::min<std::size_t>(7, nodes - 1));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      std::vector<std::pair<double, std::uint32_t>> expected;
      for (std::uint32_t i = 0; i < nodes; ++i) {
        if (i != node) expected.emplace_back(squared(instance.points[i], instance.points[node]), i);
      }
      std::sort(expected.begin(), expected.end());
      for (std::size_t i = 0; i < lists.k(); ++i) {
        ASSERT_EQ(lists.of(node)[i], expected[i].second) << "seed " << seed << " node " << node;
      }
    }
  }
}

TEST(NeighbourLists, HoldTheNearestOfEveryQuarter) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t nodes = 2 + seed;
    const Instance instance = tsp_instance(nodes, seed % 7, seed);
    const NeighbourLists lists(instance, 9, {}, 2);
    ASSERT_EQ(lists.k(), std::min<std::size_t>(9, nodes - 1));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      // By angle: quarters of the full turn, each with the border it begins with.
      std::vector<std::pair<double, std::uint32_t>> all;
      std::array<std::vector<std::pair<double, std::uint32_t>>, 4> quarters;
      const Point centre = instance.points[node];
      for (std::uint32_t i = 0; i < nodes; ++i) {
        if (i == node) continue;
        const Point point = instance.points[i];
        all.emplace_back(squared(point, centre), i);
        if (point.x == centre.x && point.y == centre.y) continue;
        const double turn = std::atan2(point.y - centre.y, point.x - centre.x) / std::acos(0.0);
        const auto quarter = static_cast<std::size_t>(turn < 0 ? turn + 4 : turn);
        quarters[std::min<std::size_t>(quarter, 3)].push_back(all.back());
      }
      std::set<std::pair<double, std::uint32_t>> expected;
      for (auto& quarter : quarters) {
        std::sort(quarter.begin(), quarter.end());
        for (std::size_t i = 0; i < std::min<std::size_t>(2, quarter.size()); ++i) {
          if (lists.k() >= 8) expected.insert(quarter[i]);
        }
      }
      std::sort(all.begin(), all.end());
      for (std::size_t i = 0; expected.size() < lists.k(); ++i) expected.insert(all[i]);
      std::size_t place = 0;
      for (const auto& [distance, other] : expected) {
        ASSERT_EQ(lists.of(node)[place++], other) << "seed " << seed << " node " << node;
      }
    }
  }
}

TEST(NeighbourLists, AreOrderedByTheMetricForDegreesAndMatrices) {
  for (const Instance& instance :
       {tsp_instance(50, 7, 1), tsp_instance(50, 8, 1), random_matrix(40, 2)}) {
    const NeighbourLists lists(instance, 9);
    for (std::size_t node = 0; node < instance.size(); ++node) {
      double last = 0;
      std::set<std::uint32_t> seen{static_cast<std::uint32_t>(node)};
      for (const std::uint32_t other : lists.of(node)) {
        const double length = instance.distance(NodeId(node), NodeId(other));
        EXPECT_GE(length, last);
        EXPECT_TRUE(seen.insert(other).second);
        last = length;
      }
      std::size_t nearer = 0;
      for (std::size_t i = 0; i < instance.size(); ++i) {
        nearer += i != node && instance.distance(NodeId(node), NodeId(i)) < last ? 1 : 0;
      }
      if (instance.metric == Metric::matrix) {
        EXPECT_LT(nearer, lists.k());
      }
    }
  }
}

// A quadratic search would need hours here.
TEST(NeighbourLists, ManyEqualPointsAreNotQuadratic) {
  constexpr std::size_t kNodes = 300'000;
  std::vector<Point> points(kNodes, Point{1, 1});
  const NeighbourLists equal(points, 8);
  EXPECT_EQ(equal.of(kNodes - 1)[7], 7U);
  EXPECT_EQ(equal.of(0)[0], 1U);
  for (std::size_t i = 0; i < kNodes; i += 2) points[i] = {0, static_cast<double>(i % 4)};
  const NeighbourLists three(points, 8);
  EXPECT_EQ(three.of(1)[0], 3U);
}

}  // namespace
}  // namespace eco
