// Requests in the form of VROOM.

#include <gtest/gtest.h>

#include "core/problem/check.h"
#include "io/support.h"
#include "io/writer.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr const char* kRequest =
    R"({"vehicles":[{"id":4,"start":[2.35,48.85],"end":[2.35,48.85],"capacity":[4]},)"
    R"({"id":9,"start":[2.35,48.85],"end":[2.35,48.85],"capacity":[4]}],)"
    R"("jobs":[{"id":1001,"location":[2.4,48.9],"delivery":[1],"service":300,"skills":[]},)"
    R"({"id":7,"location":[2.3,48.8],"delivery":[4],"priority":0}]})";

// Places 0 to 3; the ways there and back differ.
constexpr const char* kMatrixRequest =
    R"({"vehicles":[{"id":0,"start_index":0,"end_index":3}],)"
    R"("jobs":[{"id":1414,"location_index":1},{"id":0,"location_index":2}],)"
    R"("matrices":{"car":{"durations":[[0,10,20,30],[11,0,21,31],[12,22,0,32],[13,23,33,0]]}}})";

TEST(Vroom, DeliversByEqualVehiclesOverGreatCircles) {
  const Instance instance = parse(kRequest);
  EXPECT_EQ(instance.kind, ProblemKind::cvrp);
  EXPECT_EQ(instance.capacity, 4);
  EXPECT_EQ(instance.vehicles, 2U);
  EXPECT_EQ(instance.vehicle_ids, (Numbers{4, 9}));
  EXPECT_EQ(instance.labels, (Numbers{0, 1001, 7}));
  EXPECT_EQ(instance.demands, (Numbers{0, 1, 4}));
  EXPECT_EQ(instance.metric, Metric::great_circle);
  EXPECT_EQ(instance.places[0].longitude, 2.35);
  EXPECT_EQ(instance.places[0].latitude, 48.85);
  EXPECT_EQ(instance.open, Open::no);
}

TEST(Vroom, ATourOverAMatrixMayEndElsewhere) {
  const Instance instance = parse(kMatrixRequest);
  EXPECT_EQ(instance.kind, ProblemKind::tsp);
  EXPECT_EQ(instance.labels, (Numbers{1415, 1414, 0})) << "0 is a job, so the start is not";
  EXPECT_EQ(instance.matrix, (std::vector<double>{0, 10, 20, 31, 0, 21, 32, 22, 0}));
  EXPECT_EQ(instance.open, Open::end);
  EXPECT_EQ(instance.comment, "minimises matrices.car.durations");
}

TEST(Vroom, OpenRoutesCostNothingWhereTheyAreOpen) {
  const Instance no_end = parse(without(kMatrixRequest, R"(,"end_index":3)"));
  EXPECT_EQ(no_end.matrix, (std::vector<double>{0, 10, 20, 0, 0, 21, 0, 22, 0}));
  EXPECT_EQ(no_end.open, Open::end);
  const Instance no_start = parse(without(kMatrixRequest, R"("start_index":0,)"));
  EXPECT_EQ(no_start.matrix, (std::vector<double>{0, 0, 0, 31, 0, 21, 32, 22, 0}));
  EXPECT_EQ(no_start.open, Open::start);
  const std::string one =
      R"({"vehicles":[{"id":1,"start":[2.35,48.85]}],)"
      R"("jobs":[{"id":1,"location":[2.4,48.9]},{"id":2,"location":[2.3,48.8]}]})";
  const Instance path = parse(one);
  EXPECT_FALSE(path.problem().closed);
  EXPECT_EQ(path.start, NodeId(0));
  EXPECT_FALSE(path.end);
  EXPECT_EQ(path.metric, Metric::great_circle);
  EXPECT_EQ(check(path, {{NodeId(0), NodeId(1), NodeId(2)}}).cost,
            great_circle({48.85, 2.35}, {48.9, 2.4}) + great_circle({48.9, 2.4}, {48.8, 2.3}));
  // Several vehicles are routes.
  const Instance routes =
      parse(with(one, R"([{"id":1)", R"([{"id":2,"start":[2.35,48.85]},{"id":1)"));
  EXPECT_EQ(routes.metric, Metric::matrix);
  EXPECT_EQ(routes.distance(NodeId(1), NodeId(0)), 0);
  EXPECT_EQ(routes.distance(NodeId(0), NodeId(1)), great_circle({48.85, 2.35}, {48.9, 2.4}));
}

TEST(Vroom, MinimisesCostsThenDurationsThenDistances) {
  const auto request = [](const std::string& matrices) {
    return parse(R"({"vehicles":[{"id":1,"start_index":0,"end_index":0}],)"
                 R"("jobs":[{"id":1,"location_index":1}],"matrices":{"car":{)" +
                 matrices + "}}}");
  };
  const std::string distances = R"("distances":[[0,1],[1,0]])",
                    durations = R"("durations":[[0,2],[2,0]])", costs = R"("costs":[[0,3],[3,0]])";
  EXPECT_EQ(request(distances).matrix[1], 1);
  EXPECT_EQ(request(distances + "," + durations).matrix[1], 2);
  EXPECT_EQ(request(costs + "," + durations).matrix[1], 3);
}

TEST(Vroom, PickupsLoadAsDeliveriesDo) {
  EXPECT_EQ(parse(with(with(kRequest, "delivery", "pickup"), "delivery", "pickup")).demands,
            (Numbers{0, 1, 4}));
}

TEST(Vroom, VehiclesWithoutACapacityAreOnlyCounted) {
  std::string text = without(without(kRequest, R"(,"capacity":[4])"), R"(,"capacity":[4])");
  text = without(without(text, R"("delivery":[1],)"), R"("delivery":[4],)");
  const Instance instance = parse(text);
  EXPECT_EQ(instance.vehicles, 2U);
  EXPECT_EQ(instance.demands, (Numbers{0, 0, 0}));
}

TEST(Vroom, SurvivesOurJson) {
  for (const char* text : {kRequest, kMatrixRequest}) {
    const Instance instance = parse(text), back = parse(instance_text(instance, Format::json));
    expect_same(back, instance);
    EXPECT_EQ(back.vehicle_ids, instance.vehicle_ids);
    EXPECT_EQ(back.open, instance.open);
    EXPECT_EQ(back.places, instance.places);
  }
}

TEST(Vroom, PlansNameJobsAndVehicles) {
  const Instance instance = parse(kRequest);
  TemporaryFolder folder;
  const std::string path = folder.path("plan.json");
  write_solution(path, instance, from_routes({{NodeId(2)}, {NodeId(1)}}));
  EXPECT_TRUE(content(path).find(R"("routes":[{"vehicle":4,"stops":[7],"load":4,)") !=
              std::string::npos)
      << content(path);
  const Instance open = parse(without(kMatrixRequest, R"(,"end_index":3)"));
  const std::string table = folder.path("plan.csv");
  write_solution(table, open, {{NodeId(0), NodeId(1), NodeId(2)}});
  EXPECT_EQ(content(table), "route,stop,id,distance\n1,0,1415,0\n1,1,1414,10\n1,2,0,31\n");
}

class WrongVroom : public testing::TestWithParam<Wrong> {};

TEST_P(WrongVroom, IsRefusedByNameWithItsPlace) {
  EXPECT_EQ(complaint(GetParam().text), "file:1: found " + GetParam().message);
}

std::vector<Wrong> wrong_vroom() {
  const auto vehicle = [](const std::string& extra) {
    return with(kRequest, R"("id":9)", R"("id":9,)" + extra);
  };
  const auto job = [](const std::string& extra) {
    return with(kRequest, R"("id":7)", R"("id":7,)" + extra);
  };
  return {
      {"Shipments", R"({"vehicles":[{"id":1,"start":[0,0]}],"shipments":[{"amount":[1]}]})",
       R"("shipments", expected none: shipments are not supported)"},
      {"Options", with(kRequest, "{", R"({"options":{"g":true},)"),
       R"("options", expected none: options of a server are not supported)"},
      {"UnknownKey", with(kRequest, "{", R"({"depots":[],)"),
       "the key 'depots', expected one of jobs, vehicles, matrices"},
      {"TimeWindows", job(R"("time_windows":[[0,3600]])"),
       R"("time_windows" at jobs[1], expected none: time windows are not supported)"},
      {"TimeWindowOfAVehicle", vehicle(R"("time_window":[0,3600])"),
       R"("time_window" at vehicles[1], expected none: time windows are not supported)"},
      {"Skills", job(R"("skills":[1])"),
       R"("skills" at jobs[1], expected none: skills are not supported)"},
      {"SkillsOfAVehicle", vehicle(R"("skills":[1,14])"),
       R"("skills" at vehicles[1], expected none: skills are not supported)"},
      {"Priority", with(kRequest, R"("priority":0)", R"("priority":10)"),
       R"("priority" at jobs[1], expected none: priorities are not supported: every job is served)"},
      {"Breaks", vehicle(R"("breaks":[{"id":1,"time_windows":[[0,1]]}])"),
       R"("breaks" at vehicles[1], expected none: breaks are not supported)"},
      {"SpeedFactor", vehicle(R"("speed_factor":1.2)"),
       R"("speed_factor" at vehicles[1], expected none: speeds are not supported)"},
      {"Costs", vehicle(R"("costs":{"fixed":100})"),
       R"("costs" at vehicles[1], expected none: costs of vehicles are not supported)"},
      {"MaxTasks", vehicle(R"("max_tasks":4)"),
       R"("max_tasks" at vehicles[1], expected none: a limit of tasks is not supported)"},
      {"MaxTravelTime", vehicle(R"("max_travel_time":4000)"),
       R"("max_travel_time" at vehicles[1], expected none: a limit of travel time is not supported)"},
      {"MaxDistance", vehicle(R"("max_distance":4000)"),
       R"("max_distance" at vehicles[1], expected none: a limit of distance is not supported)"},
      {"Steps", vehicle(R"("steps":[{"type":"start"}])"),
       R"("steps" at vehicles[1], expected none: given routes are not supported here; --start takes a plan)"},
      {"UnknownKeyOfAJob", job(R"("weight":3)"),
       "the key 'weight' at jobs[1], expected one of id, description, location, location_index, "
       "setup, service, delivery, pickup, amount, skills, priority, time_windows"},
      {"NoJobs", R"({"vehicles":[{"id":1,"start":[0,0]}],"jobs":[]})",
       "an array of 0 at jobs, expected at least one job"},
      {"NoVehicles", R"({"vehicles":[],"jobs":[{"id":1,"location":[0,0]}]})",
       "an array of 0 at vehicles, expected at least one vehicle"},
      {"NoStart",
       with(kRequest, R"({"id":4,"start":[2.35,48.85],"end":[2.35,48.85],)", R"({"id":4,)"),
       "an object at vehicles[0], expected a \"start\" or an \"end\""},
      {"Capacities", with(kRequest, "[4]},", "[5]},"),
       "an object at vehicles[1], expected the same capacity as the first: vehicles that differ "
       "are "
       "not supported"},
      {"Depots", with(kRequest, "[2.35,48.85]", "[2.36,48.85]"),
       "an object at vehicles[1], expected the same start as the first: vehicles that differ are "
       "not supported"},
      {"Profiles", vehicle(R"("profile":"bike")"),
       "an object at vehicles[1], expected the same profile as the first: vehicles that differ are "
       "not supported"},
      {"VehicleTwice", with(kRequest, R"("id":9)", R"("id":4)"),
       "the id 4 a second time at vehicles[1], expected every id once"},
      {"JobTwice", with(kRequest, R"("id":7)", R"("id":1001)"),
       "the id 1001 a second time at jobs[1], expected every id once"},
      {"NoId", without(kRequest, R"("id":7,)"), "no \"id\" at jobs[1], expected it"},
      {"IdAsText", with(kRequest, R"("id":7)", R"("id":"seven")"),
       R"('"seven"' at jobs[1].id, expected a whole number)"},
      {"SeveralQuantities", with(kRequest, R"("delivery":[4])", R"("delivery":[4,1])"),
       "an array of 2 at jobs[1].delivery, expected one number: several quantities are not "
       "supported"},
      {"BothWays", with(kRequest, R"("delivery":[4])", R"("pickup":[4])"),
       "an object at jobs[1], expected only deliveries or only pickups: both together are not "
       "supported"},
      {"TooMuch", with(kRequest, R"("delivery":[4])", R"("delivery":[5])"),
       "an amount of 5 at jobs[1], expected 0 to the capacity 4"},
      {"AmountWithoutCapacity",
       R"({"vehicles":[{"id":1,"start":[0,0]}],"jobs":[{"id":1,"location":[0,0],"delivery":[1]}]})",
       "an object at jobs[0], expected no amount, since the vehicles have no capacity"},
      {"Latitude", with(kRequest, "[2.4,48.9]", "[48.9,95]"),
       "an array of 2 at jobs[0].location, expected [longitude, latitude]: latitude 95 is outside "
       "-90 to 90 degrees"},
      {"NoLocation", without(kRequest, R"("location":[2.4,48.9],)"),
       "an object at jobs[0], expected a \"location\", or matrices and a \"location_index\""},
      {"StartWithoutCoordinates",
       with(kRequest, R"("start":[2.35,48.85],"end":[2.35,48.85])", R"("start_index":0)"),
       "an object at vehicles[1], expected the same start as the first: vehicles that differ are "
       "not supported"},
      {"NoMatrixOfTheProfile", with(kMatrixRequest, R"({"car")", R"({"bike")"),
       "no \"car\" at matrices, expected the matrices of the vehicles' profile"},
      {"MatrixNotSquare", with(kMatrixRequest, "[11,0,21,31]", "[11,0,21]"),
       "an array of 3 at matrices.car.durations[1], expected an array of 4 numbers"},
      {"MatrixNegative", with(kMatrixRequest, "[11,", "[-11,"),
       "'-11' at matrices.car.durations[1][0], expected 0 or more"},
      {"IndexBeyondTheMatrix",
       with(kMatrixRequest, R"("location_index":2)", R"("location_index":4)"),
       "'4' at jobs[1].location_index, expected an index below 4"},
      {"NoIndex", without(kMatrixRequest, R"(,"location_index":2)"),
       "an object at jobs[1], expected a \"location_index\" beside matrices"},
      {"NoStartIndex", with(kMatrixRequest, R"("start_index":0)", R"("start":[0,0])"),
       "an object at vehicles[0], expected a \"start_index\" beside matrices"},
  };
}

INSTANTIATE_TEST_SUITE_P(Requests, WrongVroom, testing::ValuesIn(wrong_vroom()), name_of);

}  // namespace
}  // namespace eco::io
