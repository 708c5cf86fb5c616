#include "core/geometry/kd_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/search/tsp_instances.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::tsp_instance;

double square_of_distance(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

TEST(KdTree, AgreesWithBruteForceWhilePointsAreRemoved) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    Rng rng(seed, 3);
    const std::size_t nodes = 1 + rng.below(60);
    const Instance instance = tsp_instance(nodes, seed % kShapes, seed);
    KdTree tree(instance.points);
    std::set<std::uint32_t> left;
    for (std::uint32_t i = 0; i < nodes; ++i) left.insert(i);
    while (!left.empty()) {
      const std::uint32_t except = rng.below(static_cast<std::uint32_t>(nodes));
      const Point query = rng.below(2) == 0 ? instance.points[except]
                                            : Point{rng.uniform(-1, 2), rng.uniform(-1, 2)};
      const std::size_t k = 1 + rng.below(12);
      std::vector<std::pair<double, std::uint32_t>> expected;
      for (const std::uint32_t i : left) {
        if (i != except) expected.emplace_back(square_of_distance(instance.points[i], query), i);
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
    EXPECT_EQ(tree.nearest_one({0, 0}), KdTree::kNone);
  }
}

// A quadratic search would need hours here.
TEST(KdTree, ManyEqualPointsAreNotQuadratic) {
  constexpr std::uint32_t kNodes = 300'000;
  std::vector<Point> points(kNodes, Point{1, 1});
  for (std::size_t i = 0; i < kNodes; i += 2) points[i] = {0, static_cast<double>(i % 4)};
  KdTree tree(points);
  for (std::uint32_t i = 0; i < kNodes; ++i) tree.remove(tree.nearest_one(points[kNodes - 1]));
  EXPECT_EQ(tree.left(), 0U);
}

}  // namespace
}  // namespace eco
