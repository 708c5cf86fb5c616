#include "core/model/window.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/model/subproblem.h"

namespace eco {
namespace {

// Nodes 0 to 9 at x = 0 to 9.
Instance line_of_ten() {
  Instance instance;
  for (std::size_t i = 0; i < 10; ++i) instance.points.push_back({static_cast<double>(i), 0});
  return instance;
}

std::vector<NodeId> nodes(std::initializer_list<std::size_t> indices) {
  std::vector<NodeId> result;
  for (const std::size_t index : indices) result.emplace_back(index);
  return result;
}

TEST(Window, HoldsTheNearestInInputOrder) {
  const auto open = nodes({9, 8, 6, 5, 3, 2, 1, 0});
  EXPECT_EQ(window_of(line_of_ten(), NodeId(4), open, 3), nodes({2, 3, 5}));  // 2 and 6 tie
  EXPECT_EQ(window_of(line_of_ten(), NodeId(4), open, 20), nodes({0, 1, 2, 3, 5, 6, 8, 9}));
}

TEST(Window, HoldsWhatIsToBeKept) {
  const auto open = nodes({9, 8, 6, 5, 3, 2, 1, 0});
  const auto kept = nodes({9, 3});
  EXPECT_EQ(window_of(line_of_ten(), NodeId(4), open, 3, kept), nodes({3, 5, 9}));
}

TEST(Window, ShowsADestinationBeyondItAtItsBorder) {
  Instance instance = line_of_ten();
  instance.points[9] = {90, -50};
  instance.points[5].y = 1;
  const auto window = nodes({3, 5, 6});
  SubProblem sub;
  sub.build(instance, {NodeId(4), window, NodeId(9), 0, true});
  const Point s = sub.points()[sub.destination()];
  EXPECT_DOUBLE_EQ(s.x, 1);  // the box is 3 to 6 and 0 to 1
  EXPECT_DOUBLE_EQ(s.y, 0);
  const Point c = sub.points()[sub.current()];
  EXPECT_DOUBLE_EQ(c.x, 1.0 / 3);
  // Seen whole, the same nodes fill the box up to the destination.
  sub.build(instance, {NodeId(4), window, NodeId(9), 0, false});
  EXPECT_DOUBLE_EQ(sub.points()[sub.destination()].x, 1);
  EXPECT_LT(sub.points()[sub.current()].x, 0.02);
}

}  // namespace
}  // namespace eco
