// The line formats of the learning literature.

#include <gtest/gtest.h>

#include <cmath>

#include "io/support.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

const std::string kCvrpLine = "depot,0,0,customer,3,0,3,4,0,4,capacity,5.0,demand,3,3,2";
const std::string kRoutes = ",cost,1,node_flag,1,3,2,1,0,1";

TEST(TspLines, ReadCoordinatesAndTheClosedTour) {
  const Instance instance = parse("0 0 3 0 3 4 0 4 output 1 3 2 4 1\n");
  EXPECT_EQ(instance.points, (std::vector<Point>{{0, 0}, {3, 0}, {3, 4}, {0, 4}}));
  EXPECT_EQ(instance.rounding, Rounding::none);
  ASSERT_TRUE(instance.reference);
  EXPECT_EQ(instance.reference->sequence,
            (std::vector<NodeId>{NodeId(0), NodeId(2), NodeId(1), NodeId(3)}));
  EXPECT_DOUBLE_EQ(instance.reference_cost.value(), 5 + 4 + 5 + 4);
}

TEST(TspLines, DoNotNeedATourOrItsClosingNode) {
  EXPECT_FALSE(parse("0 0 3 0 3 4").reference);
  EXPECT_EQ(parse("0 0 3 0 3 4 output 2 1 3").reference->sequence.size(), 3U);
  EXPECT_EQ(parse("7 7 output 1 1").reference->sequence.size(), 1U);
}

TEST(TspLines, AcceptOddSpellingsOfNumbersAndLines) {
  const Instance instance = parse("\xef\xbb\xbf\r\n  +1.5e0\t-.5   1E-3 007  \r\n");
  EXPECT_EQ(instance.points, (std::vector<Point>{{1.5, -0.5}, {0.001, 7}}));
}

TEST(TspLines, OneNodeAloneIsAnInstance) {
  EXPECT_EQ(parse("0.1 0.2\n").size(), 1U);
  EXPECT_EQ(parse("0.1 0.2\n\n0.1 0.2 0.3 0.4\n").size(), 1U);
}

TEST(TspLines, RoundingCanBeAskedFor) {
  ReadOptions options;
  options.rounding = Rounding::nint;
  EXPECT_EQ(parse("0 0 1 1 output 1 2 1", options).reference_cost, 2);
}

TEST(CvrpLines, ReadRoutesFromOrderAndFlags) {
  const Instance instance = parse(kCvrpLine + kRoutes + "\n");
  EXPECT_EQ(instance.kind, ProblemKind::cvrp);
  EXPECT_EQ(instance.capacity, 5);
  EXPECT_EQ(instance.demands, (std::vector<std::int64_t>{0, 3, 3, 2}));
  ASSERT_TRUE(instance.reference);
  EXPECT_EQ(to_routes(*instance.reference), (Routes{{NodeId(1), NodeId(3)}, {NodeId(2)}}));
  // The stated cost of 1 is not believed: 3 + 5 + 4 and twice 5.
  EXPECT_DOUBLE_EQ(instance.reference_cost.value(), 22);
}

TEST(CvrpLines, AcceptTheDepotsDemandToo) {
  expect_same(parse(with(kCvrpLine + kRoutes, "demand,", "demand,0,")), parse(kCvrpLine + kRoutes));
  // A first customer with demand 0 is told from the depot by the count.
  EXPECT_EQ(parse(with(kCvrpLine, "demand,3", "demand,0")).demands,
            (std::vector<std::int64_t>{0, 0, 3, 2}));
}

TEST(CvrpLines, DoNotNeedASolution) {
  EXPECT_FALSE(parse(kCvrpLine).reference);
  EXPECT_EQ(parse(kCvrpLine + ",cost,17.5").reference_cost, 17.5);
}

class WrongLine : public testing::TestWithParam<Wrong> {};

TEST_P(WrongLine, GetsAMessageWithLineFoundAndExpected) {
  EXPECT_EQ(complaint(GetParam().text), GetParam().message);
}

std::vector<Wrong> wrong_lines() {
  return {
      {"Empty", "",
       "file: found an empty file, expected a TSPLIB, CVRPLIB, JSON, CSV or line-format instance"},
      {"OnlyBlanks", " \r\n\n\t",
       "file: found an empty file, expected a TSPLIB, CVRPLIB, JSON, CSV or line-format instance"},
      {"Binary", std::string("\x00\xff\x80", 3),
       "file: found '\\x00\\xff\\x80', expected a TSPLIB, CVRPLIB, JSON, CSV or line-format "
       "instance"},
      {"OnePointALine", "0.1 0.2\n0.3 0.4\n0.5 0.6\n",
       "file:2: found a second line with one point, expected a line for each instance with all its "
       "points (x1 y1 x2 y2 ...); a list of points is read as TSPLIB, JSON or CSV with a header"},
      {"TspOdd", "0 0 1 1\n0 0 1\n",
       "file:2: found an odd number of coordinates, expected pairs x y"},
      {"TspNan", "0 0 1 nan\n", "file:1: found 'nan', expected a finite y coordinate"},
      {"TspNanFirst", "nan 0 1 1\n", "file:1: found 'nan', expected coordinates"},
      {"TspMinusInfinity", "0 -inf 1 1\n", "file:1: found '-inf', expected a finite y coordinate"},
      {"TspOverflow", "0 0 1e400 1\n", "file:1: found '1e400', expected a finite x coordinate"},
      {"TspNoNodes", "0 0\noutput 1\n", "file:2: found 'output', expected coordinates"},
      {"TspText", "0 0 1 1 outputs 1 2",
       "file:1: found 'outputs', expected a finite coordinate or 'output'"},
      {"TspTruncatedTour", "0 0 1 1 2 2 output 1 2",
       "file:1: infeasible solution: node 3 is never visited"},
      {"TspEmptyTour", "0 0 1 1 output", "file:1: infeasible solution: the solution is empty"},
      {"TspRepeatedNode", "0 0 1 1 2 2 output 1 2 2 1",
       "file:1: infeasible solution: node 2 is visited twice"},
      {"TspForeignNode", "0 0 1 1 output 1 3 1",
       "file:1: found node 3 in the tour, expected 1 to 2"},
      {"TspZeroNode", "0 0 1 1 output 0 1 0", "file:1: found node 0 in the tour, expected 1 to 2"},
      {"TspLongTour", "0 0 1 1 output 1 2 1 2 1 2 1 2",
       "file:1: found a tour of more than 3 numbers, expected each node once, and the first again"},
      {"TspFractionInTour", "0 0 1 1 output 1 2.5", "file:1: found '2.5', expected a node number"},
      {"CvrpTruncated", kCvrpLine.substr(0, 28),
       "file:1: found the end of the line, expected a finite y coordinate"},
      {"CvrpNoCustomer", "depot,0,0,customer,capacity,5,demand",
       "file:1: found no customer, expected at least one"},
      {"CvrpNoDemands", without(kCvrpLine, ",demand,3,3,2"),
       "file:1: found the end of the line, expected 'demand'"},
      {"CvrpFewDemands", without(kCvrpLine, ",2"),
       "file:1: found 2 demands, expected 3, or 4 with the depot's 0 first"},
      {"CvrpManyDemands", kCvrpLine + ",1",
       "file:1: found 4 demands, expected 3, or 4 with the depot's 0 first"},
      {"CvrpWrongOrder", "depot,0,0,capacity,5,customer,1,1,demand,1",
       "file:1: found 'capacity', expected 'customer'"},
      {"CvrpTwice", kCvrpLine + "," + kCvrpLine, "file:1: found 'depot', expected 'cost'"},
      {"CvrpEmptyField", with(kCvrpLine, "3,3,2", "3,,2"),
       "file:1: found an empty field, expected a demand (a whole number)"},
      {"CvrpZeroCapacity", with(kCvrpLine, "5.0", "0"),
       "file:1: found capacity 0, expected 1 to 10000000000"},
      {"CvrpNegativeCapacity", with(kCvrpLine, "5.0", "-5"),
       "file:1: found capacity -5, expected 1 to 10000000000"},
      {"CvrpFractionalCapacity", with(kCvrpLine, "5.0", "5.5"),
       "file:1: found '5.5', expected a capacity (a whole number)"},
      {"CvrpHugeCapacity", with(kCvrpLine, "5.0", "1e300"),
       "file:1: found '1e300', expected a capacity (a whole number)"},
      {"CvrpDemandAboveCapacity", with(kCvrpLine, "3,3,2", "3,6,2"),
       "file:1: found demand 6, expected 0 to the capacity 5"},
      {"CvrpNegativeDemand", with(kCvrpLine, "3,3,2", "3,-3,2"),
       "file:1: found demand -3, expected 0 to the capacity 5"},
      {"CvrpNan", with(kCvrpLine, "3,4", "3,nan"),
       "file:1: found 'nan', expected a finite y coordinate"},
      {"CvrpShortFlags", kCvrpLine + ",cost,1,node_flag,1,3,2,1,0",
       "file:1: found the end of the line, expected a flag 0 or 1 in node_flag"},
      {"CvrpLongFlags", kCvrpLine + kRoutes + ",1",
       "file:1: found '1', expected the end of the line"},
      {"CvrpBadFlag", kCvrpLine + ",cost,1,node_flag,1,3,2,1,0,2",
       "file:1: found flag 2, expected 0 or 1"},
      {"CvrpForeignCustomer", kCvrpLine + ",cost,1,node_flag,1,3,4,1,0,1",
       "file:1: found customer 4, expected 1 to 3"},
      {"CvrpOverload", kCvrpLine + ",cost,1,node_flag,1,2,3,1,0,1",
       "file:1: infeasible solution: route 1 carries 6 at node 3, more than the capacity 5"},
  };
}

INSTANTIATE_TEST_SUITE_P(Files, WrongLine, testing::ValuesIn(wrong_lines()), name_of);

}  // namespace
}  // namespace eco::io
