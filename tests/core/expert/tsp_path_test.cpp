#include "problems/tsp/expert/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/search/tsp_instances.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::tsp_instance;

double path_length(const Instance& instance, NodeId from, const std::vector<NodeId>& path,
                   NodeId to) {
  double length = 0;
  for (const NodeId node : path) {
    length += instance.distance(from, node);
    from = node;
  }
  return length + instance.distance(from, to);
}

std::vector<NodeId> nodes_between(std::size_t first, std::size_t last) {
  std::vector<NodeId> nodes;
  for (std::size_t i = first; i < last; ++i) nodes.emplace_back(i);
  return nodes;
}

TEST(SolvePath, IsTheShortestOfAllOnSmallInstances) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t shape = 0; shape < kShapes; ++shape) {
      const Instance instance = tsp_instance(9, shape, seed);
      // Half of the cases come home to where they started.
      const NodeId from(0), to(seed % 2 == 0 ? 0 : 8);
      std::vector<NodeId> order = nodes_between(1, 8);
      const std::vector<NodeId> path = solve_path(instance, from, order, to);
      double best = std::numeric_limits<double>::infinity();
      do {
        best = std::min(best, path_length(instance, from, order, to));
      } while (std::next_permutation(order.begin(), order.end()));
      EXPECT_NEAR(path_length(instance, from, path, to), best, 1e-9) << seed;
    }
  }
}

TEST(SolvePath, VisitsEachNodeOnce) {
  for (const std::size_t nodes : {2U, 3U, 4U, 5U, 60U, 300U}) {
    const Instance instance = tsp_instance(nodes, 0, nodes);
    const std::vector<NodeId> through = nodes_between(1, nodes - 1);
    std::vector<NodeId> path = solve_path(instance, NodeId(0), through, NodeId(nodes - 1));
    std::sort(path.begin(), path.end());
    EXPECT_EQ(path, through);
  }
}

TEST(SolvePath, TakesPointsThatAreAllOne) {
  Instance instance;
  instance.points.assign(12, {0.5, 0.5});
  const std::vector<NodeId> through = nodes_between(1, 11);
  EXPECT_EQ(solve_path(instance, NodeId(0), through, NodeId(11)).size(), 10U);
}

TEST(SolvePath, BeatsAPathCutOutOfAGreedyTour) {
  // From corner to corner the way through is longer than the tour, and still found.
  const Instance instance = tsp_instance(200, 0, 3);
  const std::vector<NodeId> through = nodes_between(1, 199);
  const std::vector<NodeId> path = solve_path(instance, NodeId(0), through, NodeId(199));
  EXPECT_LT(path_length(instance, NodeId(0), path, NodeId(199)),
            0.2 * path_length(instance, NodeId(0), through, NodeId(199)));
}

}  // namespace
}  // namespace eco
