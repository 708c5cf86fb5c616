#include "core/instance/part.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/search/tsp_instances.h"

namespace eco {
namespace {

TEST(Part, KeepsTheDistancesOfItsNodes) {
  const std::vector<std::uint32_t> nodes{7, 2, 2, 0, 9};
  for (std::uint64_t shape = 0; shape <= testing::kShapes; ++shape) {
    const Instance whole = shape == testing::kShapes ? testing::random_matrix(10, shape)
                                                     : testing::tsp_instance(10, shape, shape);
    const Instance part = part_of(whole, nodes);
    ASSERT_EQ(part.size(), nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        if (nodes[i] == nodes[j]) continue;
        EXPECT_EQ(part.distance(NodeId(i), NodeId(j)),
                  whole.distance(NodeId(nodes[i]), NodeId(nodes[j])));
      }
    }
  }
}

}  // namespace
}  // namespace eco
