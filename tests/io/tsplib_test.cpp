// What TSPLIB95 and CVRPLIB files mean, and what is said about those that are wrong.

#include <gtest/gtest.h>

#include <cmath>

#include "core/problem/check.h"
#include "io/support.h"
#include "io/writer.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

std::string tsp(const std::string& type, const std::string& sections) {
  return "NAME : small\nTYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : " + type + "\n" + sections +
         "EOF\n";
}

const std::string kCoordinates = "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 4.2\n4 0 4.2\n";

const std::string kVrpHeader =
    "NAME : v\nTYPE : CVRP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 5\n";
const std::string kDemands = "DEMAND_SECTION\n1 0\n2 3\n3 3\n4 2\n";
const std::string kDepot = "DEPOT_SECTION\n1\n-1\n";

TEST(Tsplib, RoundsAsEachWeightTypeSays) {
  // Node 1 to node 3: sqrt(9 + 17.64) = 5.1614...
  const auto distance = [](const std::string& type) {
    return parse(tsp(type, kCoordinates)).distance(NodeId(0), NodeId(2));
  };
  EXPECT_EQ(distance("EUC_2D"), 5);
  EXPECT_EQ(distance("CEIL_2D"), 6);
  EXPECT_EQ(distance("FLOOR_2D"), 5);
  EXPECT_DOUBLE_EQ(distance("EXACT_2D"), std::sqrt(26.64));
  // ATT: sqrt(26.64 / 10) = 1.63 -> rounded to 2, which is not below it.
  EXPECT_EQ(distance("ATT"), 2);
}

TEST(Tsplib, AttRoundsUpWhatRoundingWouldShorten) {
  // sqrt(20 / 10) = 1.414 -> 1 is below it -> 2.
  const auto instance = parse(
      "TYPE : TSP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : ATT\nNODE_COORD_SECTION\n1 0 0\n2 4 2\nEOF\n");
  EXPECT_EQ(instance.distance(NodeId(0), NodeId(1)), 2);
}

TEST(Tsplib, GeoIsAGreatCircleOnTsplibsSphere) {
  // A quarter of the equator: 6378.388 * pi / 2 = 10019.15 -> 10020 after adding 1 and truncating.
  // 30.30 is 30 degrees 30 minutes, so from 30.30 N to the pole are 59.5 degrees:
  // 6378.388 * 3.141592 * 59.5 / 180 = 6623.77 -> 6624.
  const auto instance = parse(
      "TYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : GEO\nNODE_COORD_SECTION\n"
      "1 0 0\n2 0 90\n3 30.30 10\n4 90 10\nEOF\n");
  EXPECT_EQ(instance.distance(NodeId(0), NodeId(1)), 10020);
  EXPECT_EQ(instance.distance(NodeId(2), NodeId(3)), 6624);
}

TEST(Tsplib, RoundingOptionOverridesEuclideanOnly) {
  ReadOptions options;
  options.rounding = Rounding::dimacs;
  EXPECT_EQ(parse(tsp("EUC_2D", kCoordinates), options).distance(NodeId(0), NodeId(2)), 5.1);
  EXPECT_EQ(parse(tsp("ATT", kCoordinates), options).distance(NodeId(0), NodeId(2)), 2);
}

TEST(Tsplib, ReadsAMatrixInEveryLayout) {
  const std::vector<double> expected{0, 12, 13, 14, 12, 0, 23, 24, 13, 23, 0, 34, 14, 24, 34, 0};
  const std::vector<std::pair<std::string, std::string>> layouts{
      {"FULL_MATRIX", "9999 12 13 14\n12 9999 23 24\n13 23 0 34\n14 24 34 0"},
      {"UPPER_ROW", "12 13 14\n23 24\n34"},
      {"LOWER_ROW", "12\n13 23\n14 24 34"},
      {"UPPER_DIAG_ROW", "0 12 13 14 0 23 24 0 34 0"},
      {"LOWER_DIAG_ROW", "0\n12 0\n13 23\n0 14 24 34 0"},
      {"UPPER_COL", "12 13 23 14 24 34"},
      {"LOWER_COL", "12 13 14 23 24 34"},
      {"UPPER_DIAG_COL", "0 12 0 13 23 0 14 24 34 0"},
      {"LOWER_DIAG_COL", "0 12 13 14 0 23 24 0 34 0"},
  };
  for (const auto& [name, numbers] : layouts) {
    const Instance instance = parse(tsp(
        "EXPLICIT", "EDGE_WEIGHT_FORMAT : " + name + "\nEDGE_WEIGHT_SECTION\n" + numbers + "\n"));
    EXPECT_EQ(instance.matrix, expected) << name;
    EXPECT_FALSE(instance.has_points());
    EXPECT_EQ(instance.size(), 4U);
  }
}

TEST(Tsplib, WaysBackOfAnAtspMayDifferAndStaySo) {
  const Instance instance = parse(
      "TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
      "EDGE_WEIGHT_SECTION\n9999 1 2\n3 9999 4\n5 6 9999\nEOF\n");
  EXPECT_EQ(instance.kind, ProblemKind::tsp);
  EXPECT_EQ(instance.matrix, (std::vector<double>{0, 1, 2, 3, 0, 4, 5, 6, 0}));
  EXPECT_EQ(check(instance, {{NodeId(0), NodeId(1), NodeId(2)}}).cost, 1 + 4 + 5);
  EXPECT_EQ(check(instance, {{NodeId(2), NodeId(1), NodeId(0)}}).cost, 6 + 3 + 2);
  const std::string text = instance_text(instance, Format::tsplib);
  EXPECT_TRUE(text.find("TYPE : ATSP") != std::string::npos) << text;
  EXPECT_EQ(parse(text).matrix, instance.matrix);
}

TEST(Tsplib, DisplayCoordinatesOfAMatrixGoByNodeNumber) {
  const Instance instance =
      parse(tsp("EXPLICIT",
                "EDGE_WEIGHT_FORMAT : UPPER_ROW\nEDGE_WEIGHT_SECTION\n12 13 14 23 24 34\n"
                "DISPLAY_DATA_SECTION\n2 2 0\n1 1 0\n4 4 0\n3 3 0\n"));
  const std::vector<Point> expected{{1, 0}, {2, 0}, {3, 0}, {4, 0}};
  EXPECT_EQ(instance.points, expected);
  EXPECT_TRUE(instance.labels.empty());
}

TEST(Tsplib, TakesHeadersAndSectionsInAnyOrderAndSpelling) {
  const Instance instance =
      parse("dimension:4\n" + kDepot + "DEMAND_SECTION\n4 2\n3 3\n2 3\n1 0\n" + kCoordinates +
            "CAPACITY:\t5\nEDGE_WEIGHT_TYPE: EUC_2D\nTYPE\t:CVRP\nNAME: late  \nCOMMENT : "
            "a\nCOMMENT : b\n");
  EXPECT_EQ(instance.kind, ProblemKind::cvrp);
  EXPECT_EQ(instance.name, "late");
  EXPECT_EQ(instance.comment, "a\nb");
  EXPECT_EQ(instance.capacity, 5);
  EXPECT_EQ(instance.demands, (std::vector<std::int64_t>{0, 3, 3, 2}));
  EXPECT_TRUE(instance.labels.empty());
}

TEST(Tsplib, ReadsWindowsLineEndsTabsAndAByteOrderMark) {
  std::string text = "\xef\xbb\xbf" + kVrpHeader + kCoordinates + kDemands + kDepot + "EOF\n\x1a";
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  for (char& c : text) c = c == ' ' ? '\t' : c;
  expect_same(parse(text), parse(kVrpHeader + kCoordinates + kDemands + kDepot));
}

TEST(Tsplib, KeepsFreeNodeNumbersAsLabels) {
  const Instance instance =
      parse(tsp("EUC_2D", "NODE_COORD_SECTION\n0 0 0\n10 3 0\n-7 3 4\n5 0 4\n"));
  EXPECT_EQ(instance.labels, (std::vector<std::int64_t>{0, 10, -7, 5}));
  EXPECT_EQ(instance.points[2], (Point{3, 4}));
}

TEST(Tsplib, MovesTheDepotToTheFront) {
  const Instance instance =
      parse(kVrpHeader + kCoordinates +
            "DEMAND_SECTION\n1 1\n2 3\n3 0\n4 2\nDEPOT_SECTION\n3\n-1\nEOF\n");
  EXPECT_EQ(instance.labels, (std::vector<std::int64_t>{3, 1, 2, 4}));
  EXPECT_EQ(instance.demands, (std::vector<std::int64_t>{0, 1, 3, 2}));
  EXPECT_EQ(instance.points[0], (Point{3, 4.2}));
  EXPECT_EQ(instance.points[1], (Point{0, 0}));
}

TEST(Tsplib, MovesTheDepotOfAMatrixToo) {
  const Instance instance = parse(
      "TYPE : CVRP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : UPPER_ROW\n"
      "CAPACITY : 5\nEDGE_WEIGHT_SECTION\n12 13 14 23 24 34\n"
      "DEMAND_SECTION\n1 1\n2 3\n3 0\n4 2\nDEPOT_SECTION\n3\n-1\nEOF\n");
  EXPECT_EQ(instance.labels, (std::vector<std::int64_t>{3, 1, 2, 4}));
  const std::vector<double> expected{0, 13, 23, 34, 13, 0, 12, 14, 23, 12, 0, 24, 34, 14, 24, 0};
  EXPECT_EQ(instance.matrix, expected);
}

TEST(Tsplib, TheNumberOfVehiclesIsALimit) {
  const std::string vrp = kVrpHeader + kCoordinates + kDemands + kDepot + "EOF\n";
  EXPECT_FALSE(parse(vrp).vehicles.has_value());
  EXPECT_EQ(parse("VEHICLES : 7\n" + vrp).vehicles, 7U);
}

TEST(Tsplib, AcceptsOneNodeAndNodesAtOnePoint) {
  EXPECT_EQ(
      parse("TYPE:TSP\nDIMENSION:1\nEDGE_WEIGHT_TYPE:EUC_2D\nNODE_COORD_SECTION\n1 5 5\n").size(),
      1U);
  const Instance same = parse(tsp("EUC_2D", "NODE_COORD_SECTION\n1 5 5\n2 5 5\n3 5 5\n4 5 5\n"));
  EXPECT_EQ(same.distance(NodeId(0), NodeId(3)), 0);
}

class WrongTsplib : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTsplib, GetsAMessageWithLineFoundAndExpected) {
  EXPECT_EQ(complaint(GetParam().text), GetParam().message);
}

std::vector<Wrong> wrong_files() {
  const std::string good = tsp("EUC_2D", kCoordinates);
  const std::string vrp = kVrpHeader + kCoordinates + kDemands + kDepot + "EOF\n";
  const std::string matrix =
      tsp("EXPLICIT", "EDGE_WEIGHT_FORMAT : UPPER_ROW\nEDGE_WEIGHT_SECTION\n12 13 14 23 24 34\n");
  const std::string dimension = "1 to 100000000 nodes as DIMENSION";
  return {
      {"NoVehicles", "VEHICLES : 0\n" + vrp,
       "file:1: found VEHICLES '0', expected a whole number from 1 to 10000000000"},
      {"VehiclesInATsp", "VEHICLES : 2\n" + good,
       "file:1: found VEHICLES, expected no such keyword in a TSP"},
      {"GeoMinutes", with(tsp("GEO", kCoordinates), "2 3 0", "2 3.75 0"),
       "file: node 2: latitude 3.75 has 60 or more minutes behind the point (DDD.MM: degrees and "
       "minutes)"},
      {"GeoDegrees", with(tsp("GEO", kCoordinates), "2 3 0", "2 352 0"),
       "file: node 2: latitude 352 is outside -90 to 90 degrees"},
      {"DimensionTooLarge", with(good, "DIMENSION : 4", "DIMENSION : 1000000000000"),
       "file:3: found '1000000000000', expected " + dimension},
      {"DimensionBeyondAllNumbers", with(good, "DIMENSION : 4", "DIMENSION : 99999999999999999999"),
       "file:3: found '99999999999999999999', expected " + dimension},
      {"DimensionZero", with(good, "DIMENSION : 4", "DIMENSION : 0"),
       "file:3: found '0', expected " + dimension},
      {"DimensionNegative", with(good, "DIMENSION : 4", "DIMENSION : -4"),
       "file:3: found '-4', expected " + dimension},
      {"DimensionTooSmall", with(good, "DIMENSION : 4", "DIMENSION : 3"),
       "file:9: found more rows in NODE_COORD_SECTION, expected 3 as DIMENSION says"},
      {"DimensionLarger", with(good, "DIMENSION : 4", "DIMENSION : 90000000"),
       "file:10: found the end of NODE_COORD_SECTION after 4 rows, expected 90000000 as DIMENSION "
       "says"},
      {"DimensionMissing", without(good, "DIMENSION : 4\n"),
       "file:4: found 'NODE_COORD_SECTION', expected DIMENSION before the first section"},
      {"DimensionTwice", with(good, "TYPE : TSP", "DIMENSION : 4"),
       "file:3: found a second DIMENSION, expected one (the first is on line 2)"},
      {"SectionBeforeDimension", with(kCoordinates + good, kCoordinates, kCoordinates),
       "file:1: found 'NODE_COORD_SECTION', expected DIMENSION before the first section"},
      {"SectionTwice", tsp("EUC_2D", kCoordinates + kCoordinates),
       "file:10: found a second 'NODE_COORD_SECTION', expected one (the first is on line 5)"},
      {"SectionMissing", tsp("EUC_2D", ""),
       "file: found no NODE_COORD_SECTION, expected one with this EDGE_WEIGHT_TYPE"},
      {"SectionUnknown", tsp("EUC_2D", "TIME_WINDOW_SECTION\n"),
       "file:5: found 'TIME_WINDOW_SECTION', expected NODE_COORD, DISPLAY_DATA, EDGE_WEIGHT, "
       "DEMAND "
       "or DEPOT_SECTION; other sections are not supported"},
      {"KeywordUnknown", "hello world\n",
       "file:1: found 'hello world', expected a TSPLIB keyword such as NAME, TYPE or "
       "NODE_COORD_SECTION"},
      {"TypeMissing", without(good, "TYPE : TSP\n"),
       "file: found no TYPE, expected TYPE : TSP or TYPE : CVRP or TYPE : HPP or TYPE : ATSP"},
      {"TypeUnknown", with(good, "TYPE : TSP", "TYPE : HCP"),
       "file:2: found 'HCP', expected TYPE : TSP or TYPE : CVRP or TYPE : HPP or TYPE : ATSP"},
      {"WeightTypeMissing", without(good, "EDGE_WEIGHT_TYPE : EUC_2D\n"),
       "file: found no EDGE_WEIGHT_TYPE, expected EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D, ATT, GEO or "
       "EXPLICIT"},
      {"WeightTypeUnknown", with(good, "EUC_2D", "XRAY1"),
       "file:4: found 'XRAY1', expected EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D, ATT, GEO or EXPLICIT"},
      {"NotANumber", with(good, "2 3 0", "2 nan 0"),
       "file:7: found 'nan', expected a finite x coordinate"},
      {"Infinite", with(good, "2 3 0", "2 3 -inf"),
       "file:7: found '-inf', expected a finite y coordinate"},
      {"Overflow", with(good, "2 3 0", "2 1e400 0"),
       "file:7: found '1e400', expected a finite x coordinate"},
      {"TooLargeToSquare", with(good, "2 3 0", "2 1e200 0"),
       "file:7: found '1e200', expected a finite x coordinate"},
      {"Text", with(good, "2 3 0", "2 3x 0"), "file:7: found '3x', expected a finite x coordinate"},
      {"RowTooShort", with(good, "2 3 0", "2 3"),
       "file:7: found the end of the line, expected a finite y coordinate"},
      {"RowTooLong", with(good, "2 3 0", "2 3 0 7"),
       "file:7: found '7', expected the end of the row"},
      {"NodeTwice", with(good, "2 3 0", "1 3 0"),
       "file:5: found node 1 twice, expected every node once"},
      {"Truncated", good.substr(0, good.find("3 3 4.2")),
       "file:7: found the end of NODE_COORD_SECTION after 2 rows, expected 4 as DIMENSION says"},
      {"AfterTheEnd", good + "NAME : again\n",
       "file:11: found 'NAME : again' after EOF, expected the end of the file"},
      {"BinaryBytes", std::string("NAME\x01\xff : \x02\n", 11),
       "file:1: found 'NAME\\x01\\xff : \\x02', expected a TSPLIB keyword such as NAME, TYPE or "
       "NODE_COORD_SECTION"},
      {"MatrixTooShort", with(matrix, " 34", ""),
       "file:6: found 5 distances, expected 6 for UPPER_ROW and DIMENSION 4"},
      {"MatrixTooLong", with(matrix, " 34", " 34 35"),
       "file:6: found 7 distances, expected 6 for UPPER_ROW and DIMENSION 4"},
      {"MatrixLayoutMissing", without(matrix, "EDGE_WEIGHT_FORMAT : UPPER_ROW\n"),
       "file: found no EDGE_WEIGHT_FORMAT, expected the layout of the EXPLICIT distances"},
      {"MatrixNegative", with(matrix, " 34", " -34"),
       "file:7: found a negative distance, expected 0 or more"},
      {"MatrixHugeDimension", with(matrix, "DIMENSION : 4", "DIMENSION : 100000000"),
       "file:6: found 6 distances, expected 4999999950000000 for UPPER_ROW and DIMENSION "
       "100000000"},
      {"MatrixAsymmetric",
       "TYPE:TSP\nDIMENSION:2\nEDGE_WEIGHT_TYPE:EXPLICIT\nEDGE_WEIGHT_FORMAT:FULL_MATRIX\n"
       "EDGE_WEIGHT_SECTION\n0 1 2 0\n",
       "file:5: found different distances from node 1 to 2 and back, expected a symmetric matrix, "
       "or TYPE : ATSP"},
      {"DemandInATsp", tsp("EUC_2D", kCoordinates + kDemands),
       "file:10: found DEMAND_SECTION, expected no such section in a TSP"},
      {"CapacityZero", with(vrp, "CAPACITY : 5", "CAPACITY : 0"),
       "file:5: found CAPACITY '0', expected a whole number from 1 to 10000000000"},
      {"CapacityNegative", with(vrp, "CAPACITY : 5", "CAPACITY : -5"),
       "file:5: found CAPACITY '-5', expected a whole number from 1 to 10000000000"},
      {"CapacityNotANumber", with(vrp, "CAPACITY : 5", "CAPACITY : nan"),
       "file:5: found CAPACITY 'nan', expected a whole number from 1 to 10000000000"},
      {"CapacityMissing", without(vrp, "CAPACITY : 5\n"),
       "file: found no CAPACITY, expected the capacity of a vehicle"},
      {"DemandAboveCapacity", with(vrp, "3 3\n4 2", "3 6\n4 2"),
       "file:14: found demand 6, expected 0 to the capacity 5"},
      {"DemandNegative", with(vrp, "4 2\n", "4 -2\n"),
       "file:15: found demand -2, expected 0 to the capacity 5"},
      {"DemandFraction", with(vrp, "4 2\n", "4 2.5\n"),
       "file:15: found '2.5', expected a demand (a whole number)"},
      {"DemandTwice", with(vrp, "4 2\n", "3 2\n"),
       "file:15: found a second demand of node 3, expected every node once"},
      {"DemandOfAStranger", with(vrp, "4 2\n", "9 2\n"),
       "file:15: found a demand of node 9, expected a node of the instance"},
      {"DemandsMissing", without(vrp, kDemands),
       "file: found no DEMAND_SECTION, expected one in a CVRP"},
      {"DepotMissing", without(vrp, kDepot),
       "file: found no DEPOT_SECTION, expected one in a CVRP"},
      {"DepotEmpty", with(vrp, kDepot, "DEPOT_SECTION\n-1\n"),
       "file:16: found no depot, expected one node number, then -1"},
      {"DepotTwice", with(vrp, kDepot, "DEPOT_SECTION\n1\n2\n-1\n"),
       "file:18: found a second depot, expected one depot, then -1"},
      {"DepotUnknown", with(vrp, kDepot, "DEPOT_SECTION\n8\n-1\n"),
       "file:16: found depot 8, expected a node of the instance"},
      {"DepotWithDemand", with(vrp, kDepot, "DEPOT_SECTION\n2\n-1\n"),
       "file:16: found a depot with demand 3, expected demand 0 at the depot"},
      {"RouteLengthLimit", with(vrp, "CAPACITY : 5", "DISTANCE : 200\nCAPACITY : 5"),
       "file:5: found DISTANCE (a limit on the length of a route), expected a plain CVRP: such "
       "limits are not supported"},
      {"OneNodeCvrp",
       "TYPE:CVRP\nDIMENSION:1\nEDGE_WEIGHT_TYPE:EUC_2D\nCAPACITY:5\nNODE_COORD_SECTION\n1 0 0\n"
       "DEMAND_SECTION\n1 0\nDEPOT_SECTION\n1\n-1\n",
       "file: a CVRP instance needs a depot and at least one customer"},
  };
}

INSTANTIATE_TEST_SUITE_P(Files, WrongTsplib, testing::ValuesIn(wrong_files()), name_of);

}  // namespace
}  // namespace eco::io
