// Plans as people get them: tables, maps and JSON, by their own ids, and tables back again.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/problem/check.h"
#include "io/plan/plan.h"
#include "io/support.h"
#include "io/writer.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

using Json = nlohmann::json;

Instance bakeries() {
  ReadOptions options;
  options.capacity = 6;
  return parse("id,x,y,demand\nHub,0,0,\nA,3,4,2\n\"B, north\",6,8,3\nC,0,5,4\n", options);
}

Solution two_routes() {
  return from_routes({{NodeId(1), NodeId(2)}, {NodeId(3)}});
}

std::string written(const Instance& instance, const Solution& solution, const std::string& name) {
  TemporaryFolder folder;
  write_solution(folder.path(name), instance, solution);
  return content(folder.path(name));
}

TEST(Plan, HasLoadsAndLengths) {
  const Instance instance = bakeries();
  const Plan plan = plan_of(instance, two_routes());
  ASSERT_EQ(plan.routes.size(), 2U);
  EXPECT_EQ(plan.routes[0].load, 5);
  EXPECT_EQ(plan.routes[0].length, 20);
  EXPECT_EQ(plan.routes[1].load, 4);
  EXPECT_EQ(plan.routes[1].length, 10);
  EXPECT_EQ(plan.routes[0].length + plan.routes[1].length, check(instance, two_routes()).cost);
}

TEST(Plan, AsATableHasAStopARow) {
  EXPECT_EQ(written(bakeries(), two_routes(), "plan.csv"),
            "route,stop,id,x,y,demand,load_after,distance\n"
            "1,0,Hub,0,0,0,0,0\n"
            "1,1,A,3,4,2,2,5\n"
            "1,2,\"B, north\",6,8,3,5,10\n"
            "1,3,Hub,0,0,0,5,20\n"
            "2,0,Hub,0,0,0,0,0\n"
            "2,1,C,0,5,4,4,5\n"
            "2,2,Hub,0,0,0,4,10\n");
}

TEST(Plan, OfATourBeginsAtTheFirstNode) {
  const Instance instance = parse("id,x,y\nA,0,0\nB,3,4\nC,0,4\n");
  EXPECT_EQ(written(instance, {{NodeId(2), NodeId(0), NodeId(1)}}, "tour.csv"),
            "route,stop,id,x,y,distance\n1,0,A,0,0,0\n1,1,B,3,4,5\n1,2,C,0,4,8\n1,3,A,0,0,12\n");
}

TEST(Plan, OfAnOpenPathIsItsStops) {
  const Instance instance = parse(R"({"problem":"path","nodes":[[0,0],[3,4],[3,0]]})");
  const Solution path{{NodeId(1), NodeId(2), NodeId(0)}};
  const std::string table = written(instance, path, "path.csv");
  EXPECT_EQ(table, "route,stop,id,x,y,distance\n1,1,2,3,4,0\n1,2,3,3,0,4\n1,3,1,0,0,7\n");
  EXPECT_EQ(solution_in(table, "path.csv", instance), path);
}

TEST(Plan, AsJsonHasStopsLoadsAndLengths) {
  const Json json = Json::parse(written(bakeries(), two_routes(), "plan.json"));
  EXPECT_EQ(json["capacity"], 6);
  EXPECT_EQ(json["cost"], 30);
  EXPECT_EQ(json["routes"], Json::parse(R"([{"stops":["A","B, north"],"load":5,"length":20.0},
                                            {"stops":["C"],"load":4,"length":10.0}])"));
}

TEST(Plan, ComesBackFromTablesAndJson) {
  const Instance instance = bakeries();
  for (const std::string name : {"plan.csv", "plan.json"}) {
    EXPECT_EQ(solution_in(written(instance, two_routes(), name), name, instance), two_routes());
  }
  EXPECT_EQ(solution_in("id;route\nC;x\nA;y\nHub;y\n\"B, north\";y\n", "plan", instance),
            from_routes({{NodeId(3)}, {NodeId(1), NodeId(2)}}));
  const Instance tour = parse("id,x,y\nA,0,0\nB,3,4\nC,0,4\n");
  const Solution around{{NodeId(0), NodeId(2), NodeId(1)}};
  EXPECT_EQ(solution_in(written(tour, around, "tour.csv"), "tour.csv", tour), around);
}

TEST(Plan, WrongTablesAreRefusedWithLineAndColumn) {
  const auto complaint_of = [](const char* text, const Instance& instance) {
    return message_of([&] { (void)solution_in(text, "plan", instance); });
  };
  EXPECT_EQ(complaint_of("route,id\n1,D\n", bakeries()),
            "plan:2: found 'D' in column 2 (id), expected the id of a node of the instance");
  EXPECT_EQ(complaint_of("route,id\n,A\n", bakeries()),
            "plan:2: found an empty field in column 1 (route), expected the number of a route");
  EXPECT_EQ(complaint_of("route,id\n", bakeries()),
            "plan: found no rows below the header, expected a plan");
  EXPECT_EQ(complaint_of("route,id\n1,A\n2,B\n", parse("id,x,y\nA,0,0\nB,1,1\n")),
            "plan: found 2 routes, expected one tour");
}

TEST(Plan, AsAMapHasLinesAndPoints) {
  ReadOptions options;
  options.capacity = 9;
  const Instance instance =
      parse("id,lat,lon,demand\nHub,-17,179,\nA,-18,-179,2\nB,-17,178,3\n", options);
  const Solution solution = from_routes({{NodeId(1)}, {NodeId(2)}});
  const Json map = Json::parse(written(instance, solution, "plan.geojson"));
  EXPECT_EQ(map["type"], "FeatureCollection");
  ASSERT_EQ(map["features"].size(), 5U);
  const Json& first = map["features"][1];
  EXPECT_EQ(first["properties"]["load"], 2);
  EXPECT_NEAR(first["properties"]["length"].get<double>(),
              2 * instance.distance(NodeId(0), NodeId(1)), 1e-6);
  // There and back over the date line: cut in three.
  EXPECT_EQ(first["geometry"]["coordinates"],
            Json::parse("[[[179,-17],[180,-17.5]],[[-180,-17.5],[-179,-18],[-180,-17.5]],"
                        "[[180,-17.5],[179,-17]]]"));
  EXPECT_EQ(map["features"][0]["properties"]["id"], "Hub");
  EXPECT_EQ(map["features"][0]["properties"]["depot"], true);
  EXPECT_EQ(map["features"][2]["geometry"]["coordinates"], Json::parse("[-179.0,-18.0]"));
  EXPECT_EQ(map["features"][4]["properties"]["id"], "B");
  EXPECT_EQ(map["features"][4]["properties"]["route"], 2);
}

TEST(Plan, AsAMapNeedsDegrees) {
  EXPECT_EQ(
      message_of([] { require_solution_format("plan.geojson", bakeries()); }, ErrorKind::usage),
      "GeoJSON is for latitudes and longitudes, which the instance does not have; write .csv "
      "or .json");
}

TEST(JsonInstance, KeepsDegreesAndNames) {
  ReadOptions options;
  options.capacity = 9;
  const Instance table =
      parse("id,lat,lon,demand\nHub,-17,179,\n\"A \"\"a\"\"\",-18,-179,2\n", options);
  const Instance back = parse(instance_text(table, Format::json));
  EXPECT_EQ(back.names, table.names);
  EXPECT_EQ(back.places, table.places);
  EXPECT_EQ(back.points, table.points);
  EXPECT_EQ(back.metric, Metric::great_circle);
  Instance matrix = table;
  matrix.metric = Metric::matrix;
  matrix.matrix = {0, 5, 5, 0};
  EXPECT_EQ(parse(instance_text(matrix, Format::json)).places, table.places);
}

TEST(JsonInstance, DegreesAreLongitudeFirst) {
  const Instance instance = parse(
      R"({"metric":"great-circle","nodes":[{"id":"P","location":[2.35,48.85]},{"location":[0,51]}]})");
  EXPECT_EQ(instance.places[0].latitude, 48.85);
  EXPECT_EQ(instance.names, (std::vector<std::string>{"P", "2"}));
  EXPECT_EQ(
      complaint(R"({"metric":"great-circle","nodes":[[0,91]]})"),
      "file:1: found an array of 2 at nodes[0], expected [longitude, latitude]: latitude 91 is "
      "outside -90 to 90 degrees");
  EXPECT_EQ(complaint(R"({"locations":"degrees","nodes":[[0,9]]})"),
            "file:1: found '\"degrees\"' at locations, expected \"plane\" with this metric");
}

}  // namespace
}  // namespace eco::io
