#include "report/input_orders.h"

#include <gtest/gtest.h>

#include <cmath>

namespace eco {
namespace {

TEST(InputOrders, MeansOfTheOrdersAndTheirDeviationAreThePapersTable) {
  // Two instances that differ widely over the orders, in opposite ways: the means do not.
  const std::vector<std::vector<double>> costs = {{110, 260}, {130, 220}, {120, 240}};
  const std::vector<std::optional<double>> references = {100, 200};
  const OrderSensitivity found = order_sensitivity(costs, references);
  const std::vector<double> gaps = {20, 20, 20}, means = {185, 175, 180};
  EXPECT_EQ(found.gaps, gaps);
  EXPECT_EQ(found.costs, means);
  EXPECT_DOUBLE_EQ(found.mean_gap, 20);
  EXPECT_NEAR(found.gap_deviation, 0, 1e-12);
  EXPECT_DOUBLE_EQ(found.mean_cost, 180);
  EXPECT_DOUBLE_EQ(found.cost_deviation, 5);
  // 10 of 120 and 20 of 240.
  EXPECT_DOUBLE_EQ(found.instance_deviation, 100.0 / 12);
  EXPECT_DOUBLE_EQ(found.largest_instance_deviation, 100.0 / 12);
}

TEST(InputOrders, DeviationIsThatOfASample) {
  const std::vector<std::vector<double>> costs = {{101}, {103}};
  const std::vector<std::optional<double>> references = {100};
  const OrderSensitivity found = order_sensitivity(costs, references);
  EXPECT_NEAR(found.mean_gap, 2, 1e-12);
  EXPECT_NEAR(found.gap_deviation, std::sqrt(2.0), 1e-12);
}

TEST(InputOrders, InstancesWithoutReferenceCountForTheCostOnly) {
  const std::vector<std::vector<double>> costs = {{110, 7}, {120, 9}};
  const OrderSensitivity some =
      order_sensitivity(costs, std::vector<std::optional<double>>{100, std::nullopt});
  EXPECT_DOUBLE_EQ(some.gaps[0], 10);
  EXPECT_DOUBLE_EQ(some.gaps[1], 20);
  EXPECT_DOUBLE_EQ(some.costs[0], 58.5);
  const OrderSensitivity none =
      order_sensitivity(costs, std::vector<std::optional<double>>(2, std::nullopt));
  EXPECT_TRUE(none.gaps.empty());
}

}  // namespace
}  // namespace eco
