#include "core/infer/route_value.h"

#include <gtest/gtest.h>

namespace eco {
namespace {

// The depot in the middle of the left side; three customers near it, three far ones.
Instance two_towns(double scale) {
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  for (const Point p : {Point{0, 0.5}, Point{0.1, 0.4}, Point{0.1, 0.5}, Point{0.1, 0.6},
                        Point{0.9, 0.4}, Point{0.9, 0.5}, Point{0.9, 0.6}}) {
    instance.points.push_back({p.x * scale, p.y * scale});
  }
  instance.demands = {0, 1, 1, 1, 1, 1, 1};
  instance.capacity = 3;
  return instance;
}

std::vector<NodeId> nodes(std::initializer_list<std::uint32_t> indices) {
  std::vector<NodeId> out;
  for (const std::uint32_t i : indices) out.emplace_back(i);
  return out;
}

class RouteValueTest : public ::testing::Test {
 protected:
  double value(std::initializer_list<std::uint32_t> route, bool complete = true,
               double lost_room = 0) const {
    return value_(nodes(route), -0.1, lost_room, complete);
  }

 private:
  Instance instance_ = two_towns(1);
  RouteValue value_{instance_};
};

TEST_F(RouteValueTest, FarCustomersComeFirst) {
  EXPECT_GT(value({4, 5, 6}), value({1, 2, 3}));
}

TEST_F(RouteValueTest, ADetourCounts) {
  EXPECT_GT(value({4, 5, 6}), value({4, 6, 5}));
}

TEST_F(RouteValueTest, AFewFarCustomersDoNotPayForTheWay) {
  EXPECT_GT(value({4, 5, 6}), value({5}));
  // A route that goes on has others to pay with it.
  EXPECT_GT(value({5}, false), value({5}, true));
}

TEST_F(RouteValueTest, LostRoomCountsWhereTheRouteEnds) {
  EXPECT_LT(value({4, 5}, true, 1.0 / 3), value({4, 5}));
  EXPECT_EQ(value({4, 5}, false, 1.0 / 3), value({4, 5}, false));
}

TEST_F(RouteValueTest, DoesNotDependOnUnits) {
  const Instance large = two_towns(1000);
  EXPECT_NEAR(RouteValue(large)(nodes({4, 5, 6}), -0.1, 0, true), value({4, 5, 6}), 1e-9);
}

TEST(RouteValue, CustomersAtTheDepotLeaveOnlyConfidence) {
  Instance instance = two_towns(0);
  EXPECT_EQ(RouteValue(instance)(nodes({1, 2}), -0.3, 0, true), -0.3);
}

}  // namespace
}  // namespace eco
