#include "core/search/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/search/neighbours_tree.h"
#include "core/search/tsp_instances.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::random_matrix;
using testing::tsp_instance;

double squared(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

TEST(NeighbourTree, AgreesWithBruteForceWhilePointsAreRemoved) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    Rng rng(seed, 3);
    const std::size_t nodes = 1 + rng.below(60);
    const Instance instance = tsp_instance(nodes, seed % kShapes, seed);
    NeighbourTree tree(instance.points);
    std::set<std::uint32_t> left;
    for (std::uint32_t i = 0; i < nodes; ++i) left.insert(i);
    while (!left.empty()) {
      const std::uint32_t except = rng.below(static_cast<std::uint32_t>(nodes));
      const Point query = rng.below(2) == 0 ? instance.points[except]
                                            : Point{rng.uniform(-1, 2), rng.uniform(-1, 2)};
      const std::size_t k = 1 + rng.below(12);
      std::vector<std::pair<double, std::uint32_t>> expected;
      for (const std::uint32_t i : left) {
        if (i != except) expected.emplace_back(squared(instance.points[i], query), i);
      }
      std::sort(expected.begin(), expected.end());
      if (expected.size() > k) expected.resize(k);
      std::vector<std::pair<double, std::uint32_t>> found;
      for (const auto& n : tree.nearest(query, k, except)) {
        found.emplace_back(n.squared_distance, n.index);
      }
      ASSERT_EQ(found, expected) << "seed " << seed;
      ASSERT_EQ(tree.left(), left.size());
      const auto gone = std::next(left.begin(), rng.below(static_cast<std::uint32_t>(left.size())));
      tree.remove(*gone);
      ASSERT_FALSE(tree.contains(*gone));
      left.erase(gone);
    }
    EXPECT_EQ(tree.nearest_one({0, 0}), NeighbourTree::kNone);
  }
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
  NeighbourTree tree(points);
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    const std::uint32_t nearest = tree.nearest_one(points[kNodes - 1]);
    tree.remove(nearest);
  }
  EXPECT_EQ(tree.left(), 0U);
}

}  // namespace
}  // namespace eco
