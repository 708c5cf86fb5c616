// JSON instances: what is understood, and what is said about the rest.

#include <gtest/gtest.h>

#include "io/support.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

const std::string kCvrpJson =
    R"({"problem":"cvrp","capacity":5,"depot":{"id":9,"location":[0,0]},)"
    R"("jobs":[{"id":2,"location":[3,0],"amount":[3]},{"id":7,"location":[3,4],"amount":[3]}],)"
    R"("solution":{"routes":[[7],[2]]}})";

TEST(Json, ReadsATsp) {
  const Instance instance =
      parse(R"({"name":"square","nodes":[[0,0],[1,0],[1,1],[0,1]],"rounding":"nint",)"
            R"("solution":{"tour":[1,2,3,4]}})");
  EXPECT_EQ(instance.kind, ProblemKind::tsp);
  EXPECT_EQ(instance.name, "square");
  EXPECT_EQ(instance.rounding, Rounding::nint);
  EXPECT_TRUE(instance.labels.empty());
  EXPECT_EQ(instance.reference_cost, 4);
}

TEST(Json, ReadsACvrpWithItsIds) {
  const Instance instance = parse(kCvrpJson);
  EXPECT_EQ(instance.labels, (std::vector<std::int64_t>{9, 2, 7}));
  EXPECT_EQ(instance.demands, (std::vector<std::int64_t>{0, 3, 3}));
  EXPECT_EQ(to_routes(instance.reference.value()), (Routes{{NodeId(2)}, {NodeId(1)}}));
  EXPECT_EQ(instance.reference_cost, 16);
}

TEST(Json, ReadsAMatrixWithoutCoordinates) {
  const Instance instance = parse(R"({"matrix":[[9,1,2],[1,9,3],[2,3,9]]})");
  EXPECT_EQ(instance.metric, Metric::matrix);
  EXPECT_EQ(instance.size(), 3U);
  EXPECT_EQ(instance.matrix, (std::vector<double>{0, 1, 2, 1, 0, 3, 2, 3, 0}));
}

TEST(Json, ReadsAMatrixWithOtherWaysBack) {
  const Instance instance = parse(R"({"matrix":[[0,1],[2,0]]})");
  EXPECT_EQ(instance.distance(NodeId(0), NodeId(1)), 1);
  EXPECT_EQ(instance.distance(NodeId(1), NodeId(0)), 2);
}

TEST(Json, StreamsObjectsFromLinesAndFromAnArray) {
  const std::string a = R"({"nodes":[[0,0]],"name":"a } ] \" { ["})", b = R"({"nodes":[[1,1]]})";
  const std::string spread = with(a, ",", ",\r\n  ");
  const std::vector<std::string> texts{
      a + "\n" + b + "\n", a + b, std::string("[").append(a).append(",\n").append(b).append("]\n"),
      spread + "\r\n\r\n" + b};
  for (const std::string& text : texts) {
    const auto reader = instances_in(text, "file");
    EXPECT_EQ(reader->next().value().name, "a } ] \" { [") << text;
    EXPECT_EQ(reader->next().value().points[0], (Point{1, 1})) << text;
    EXPECT_FALSE(reader->next()) << text;
  }
}

class WrongJson : public testing::TestWithParam<Wrong> {};

TEST_P(WrongJson, GetsAMessageWithLineFoundAndExpected) {
  EXPECT_EQ(complaint(GetParam().text), GetParam().message);
}

std::vector<Wrong> wrong_json() {
  return {
      {"Truncated", "{\"nodes\":[[0,0],\n[1,",
       "file:2: found the end of the file, expected '}' at the end of the JSON object"},
      {"ArrayTruncated", "[{\"nodes\":[[0,0]]}",
       "file:1: found the end of the file, expected ']' at the end of the JSON array"},
      {"NotAnObject", "[5]", "file:1: found '5]', expected a JSON object"},
      {"TwoCommas", "[{\"nodes\":[[0,0]]},,]", "file:1: found ',]', expected a JSON object"},
      {"Rest", "{\"nodes\":[[0,0]]} x",
       "file:1: found 'x', expected a JSON object or the end of the file"},
      {"RestOfAnArray", "[{\"nodes\":[[0,0]]}] 5",
       "file:1: found '5', expected the end of the file"},
      {"CommaAtTheEnd", "[{\"nodes\":[[0,0]]},]", "file:1: found ']', expected a JSON object"},
      {"TooDeep", "{\"a\":" + std::string(100'000, '['),
       "file:1: found JSON nested deeper than 16 levels, expected an instance or a solution"},
      {"Syntax", "{\n\"nodes\":\n[0 0]}",
       "file:3: not valid JSON: 'syntax error while parsing array - unexpected number literal; "
       "expected ']''"},
      {"Overflow", R"({"nodes":[[1e400,0]]})",
       "file:1: not valid JSON: '[json.exception.out_of_range.406] number overflow parsing "
       "'1e400''"},
      {"Nan", R"({"nodes":[[NaN,0]]})",
       "file:1: not valid JSON: 'syntax error while parsing value - invalid literal; last read: "
       "'\"nodes\":[[N''"},
      {"TooLarge", R"({"nodes":[[1e200,0]]})",
       "file:1: found '1e+200' at nodes[0][0], expected a number of at most 1e100"},
      {"Text", R"({"nodes":[[0,0],["a",0]]})",
       "file:1: found '\"a\"' at nodes[1][0], expected a number"},
      {"ThreeCoordinates", R"({"nodes":[[0,0,0]]})",
       "file:1: found an array of 3 at nodes[0], expected coordinates [x, y]"},
      {"NoNodes", R"({"problem":"tsp"})", "file:1: found no \"nodes\", expected it"},
      {"EmptyNodes", R"({"nodes":[]})", "file:1: the instance has no nodes"},
      {"KeyTwice", R"({"nodes":[[0,0]],"nodes":[[1,1]]})",
       "file:1: found a second 'nodes', expected every key once"},
      {"KeyUnknown", R"({"nodes":[{"location":[0,0],"skills":[1]}]})",
       "file:1: found the key 'skills' at nodes[0], expected one of id, location, amount, demand, "
       "delivery, description, service"},
      {"ProblemUnknown", R"({"problem":"vrptw"})",
       "file:1: found '\"vrptw\"' at problem, expected \"tsp\" or \"cvrp\" or \"path\""},
      {"IdTwice", with(kCvrpJson, "\"id\":7", "\"id\":2"),
       "file:1: found the id 2 twice, expected every id once (the depot is 1 unless it has one)"},
      {"ZeroCapacity", with(kCvrpJson, ":5", ":0"),
       "file:1: found '0' at capacity, expected a capacity of at least 1"},
      {"NegativeCapacity", with(kCvrpJson, ":5", ":-5"),
       "file:1: found '-5' at capacity, expected a whole number from 0 to 10000000000"},
      {"NoCapacity", without(kCvrpJson, "\"capacity\":5,"),
       "file:1: found no capacity, expected \"capacity\", or in \"vehicles\""},
      {"DemandAboveCapacity", with(kCvrpJson, "[3]", "[6]"),
       "file:1: found an array of 1 at jobs[0].amount, expected 0 to the capacity 5"},
      {"DemandFraction", with(kCvrpJson, "[3]", "2.5"),
       "file:1: found '2.5' at jobs[0].amount, expected a whole number from 0 to 10000000000"},
      {"NoDepot", without(kCvrpJson, "\"depot\":{\"id\":9,\"location\":[0,0]},"),
       "file:1: found no depot, expected \"depot\" with a location, or a start in \"vehicles\""},
      {"DepotInATsp", R"({"problem":"tsp","nodes":[[0,0]],"depot":[0,0]})",
       "file:1: found \"depot\", expected it only in a cvrp"},
      {"OpenRoute",
       R"({"problem":"cvrp","vehicles":[{"start":[0,0],"capacity":5}],"jobs":[{"location":[1,1],"amount":1}]})",
       "file:1: found an object at vehicles[0], expected both \"start\" and \"end\", at the depot: "
       "open routes are not supported"},
      {"RouteFromNowhere",
       R"({"problem":"cvrp","vehicles":[{"end":[0,0],"capacity":5}],"jobs":[{"location":[1,1],"amount":1}]})",
       "file:1: found an object at vehicles[0], expected both \"start\" and \"end\", at the depot: "
       "open routes are not supported"},
      {"NoVehicles", with(kCvrpJson, "\"capacity\":5", "\"capacity\":5,\"vehicles\":[]"),
       "file:1: found an array of 0 at vehicles, expected at least one vehicle"},
      {"ZeroVehicles", with(kCvrpJson, "\"capacity\":5", "\"capacity\":5,\"vehicles\":0"),
       "file:1: found '0' at vehicles, expected at least one vehicle"},
      {"SolutionWithTooManyRoutes",
       with(kCvrpJson, "\"capacity\":5", "\"capacity\":5,\"vehicles\":[{}]"),
       "file:1: infeasible solution: 2 routes, but 1 vehicle"},
      {"GeoMinutes", R"({"metric":"geo","nodes":[[10.59,20],[10.75,20]]})",
       "file:1: node 2: latitude 10.75 has 60 or more minutes behind the point (DDD.MM: degrees "
       "and "
       "minutes)"},
      {"GeoLatitude", R"({"metric":"geo","nodes":[[352,20]]})",
       "file:1: node 1: latitude 352 is outside -90 to 90 degrees"},
      {"GeoLongitude", R"({"metric":"geo","nodes":[[-90,-180],[3,-180.3]]})",
       "file:1: node 2: longitude -180.3 is outside -180 to 180 degrees"},
      {"MatrixNotSquare", R"({"matrix":[[0,1],[1]]})",
       "file:1: found an array of 1 at matrix[1], expected an array of 2 distances"},
      {"SolutionOfAStranger", with(kCvrpJson, "[[7],[2]]", "[[7],[3]]"),
       "file:1: found '3' at solution.routes[1][0], expected the id of a node of the instance"},
      {"SolutionWithTheDepot", with(kCvrpJson, "[[7],[2]]", "[[9,7],[2]]"),
       "file:1: found '9' at solution.routes[0][0], expected a customer: routes do not list the "
       "depot"},
      {"SolutionOverloaded", with(kCvrpJson, "[[7],[2]]", "[[7,2]]"),
       "file:1: infeasible solution: route 1 carries 6 at node 2, more than the capacity 5"},
  };
}

INSTANTIATE_TEST_SUITE_P(Files, WrongJson, testing::ValuesIn(wrong_json()), name_of);

}  // namespace
}  // namespace eco::io
