// The commands of docs/your-data.md, run as a reader would.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/run.h"
#include "paths.h"

namespace eco {
namespace {

std::vector<std::string> commands_of(const std::string& page) {
  std::vector<std::string> commands;
  std::istringstream lines(page);
  bool in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_block = !in_block;
    if (in_block && line.starts_with("eco ")) commands.push_back(line);
  }
  return commands;
}

class YourData : public testing::Test {
 protected:
  RunResult in_folder(const std::string& command) {
    return run_program(
        {"sh", "-c",
         "cd '" + folder_.path("") + "' && PATH='" + program_path("") + "':$PATH && " + command});
  }
  std::string file(const std::string& name) { return read_text(folder_.path(name)); }

  TemporaryFolder folder_;
};

TEST_F(YourData, FiveCommandsOfThePageLeadToAPlanAndAPicture) {
  const std::vector<std::string> commands =
      commands_of(read_text(source_path("docs/your-data.md")));
  ASSERT_EQ(commands.size(), 5U);
  const std::string orders = read_text(source_path("examples/orders.csv"));
  (void)folder_.write("orders.csv", orders);
  for (const std::string& command : commands) {
    const RunResult result = in_folder(command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.out << result.err;
  }
  std::istringstream rows(orders);
  std::string row;
  std::getline(rows, row);
  const std::string plan = file("plan.csv"), picture = file("plan.svg");
  while (std::getline(rows, row)) {
    const std::string name = row.substr(0, row.find(','));
    EXPECT_TRUE(contains(plan, "," + name + ",")) << name;
    EXPECT_TRUE(contains(picture, name)) << name;
  }
  EXPECT_TRUE(contains(picture, "length</text>")) << "the legend";
  EXPECT_EQ(nlohmann::json::parse(file("plan.geojson"))["type"], "FeatureCollection");
  const auto told = nlohmann::json::parse(file("plan.json"));
  EXPECT_LE(told["routes"].size(), 5U);
  EXPECT_EQ(told["vehicles"], 5);
  EXPECT_EQ(told["metric"], "great-circle");
}

TEST_F(YourData, TheStartIsNeverMadeLonger) {
  (void)folder_.write("orders.csv", read_text(source_path("examples/orders.csv")));
  const std::string options = "eco solve orders.csv --capacity 40 --json ";
  const RunResult quick = in_folder(options + "--method savings > quick.json");
  ASSERT_EQ(quick.code, 0) << quick.err;
  const RunResult again =
      in_folder(options + "--start quick.json --method expert --iterations 1 > again.json");
  ASSERT_EQ(again.code, 0) << again.err;
  const auto before = nlohmann::json::parse(file("quick.json"));
  const auto after = nlohmann::json::parse(file("again.json"));
  EXPECT_LE(after["cost"], before["cost"]);
  EXPECT_EQ(after["start"], "quick.json");
}

TEST_F(YourData, AStartThatIsNoPlanIsRefused) {
  (void)folder_.write("orders.csv", "id,x,y,demand\nHub,0,0,\nA,1,1,2\nB,2,2,3\n");
  (void)folder_.write("half.csv", "route,id\n1,A\n");
  const RunResult result = in_folder("eco solve orders.csv --capacity 5 --start half.csv");
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(contains(result.err, "half.csv: infeasible: node 'B' is never visited"))
      << result.err;
  const RunResult method =
      in_folder("eco solve orders.csv --capacity 5 --start half.csv --method savings");
  EXPECT_EQ(method.code, 2);
}

TEST_F(YourData, ATableWithDemandsAsksForTheCapacity) {
  (void)folder_.write("orders.csv", "id,x,y,demand\nHub,0,0,\nA,1,1,2\n");
  const RunResult result = in_folder("eco solve orders.csv");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "expected their capacity (--capacity Q)")) << result.err;
  EXPECT_EQ(in_folder("eco solve orders.csv --capacity 5 --out plan.geojson").code, 2);
}

TEST_F(YourData, AllInstancesOfAFileAreSolvedWhenAsked) {
  (void)folder_.write("three.txt", "0 0 3 0 3 4\n0 0 1 0 1 1 0 1\n0 0 5 12 5 0\n");
  const RunResult all = in_folder("eco solve three.txt --all --method nn --json --out tours.jsonl");
  ASSERT_EQ(all.code, 0) << all.err;
  std::istringstream reports(all.out), tours(file("tours.jsonl"));
  for (const double cost : {12, 4, 30}) {
    std::string report, tour;
    ASSERT_TRUE(std::getline(reports, report) && std::getline(tours, tour));
    EXPECT_EQ(nlohmann::json::parse(report)["cost"], cost);
    EXPECT_EQ(nlohmann::json::parse(tour)["cost"], cost);
  }
  EXPECT_EQ(in_folder("eco solve three.txt --all --index 1").code, 2);
  EXPECT_EQ(in_folder("eco solve three.txt --all --out tours.tour").code, 2);
  const RunResult one = in_folder("eco solve three.txt --method nn");
  EXPECT_TRUE(contains(one.err, "only the first of several instances")) << one.err;
}

TEST_F(YourData, ARequestOfVroomIsSolvedOverItsMatrixByItsIds) {
  (void)folder_.write("request.json",
                      R"({"vehicles":[{"id":7,"start_index":0,"end_index":3}],)"
                      R"("jobs":[{"id":1414,"location_index":1},{"id":1515,"location_index":2}],)"
                      R"("matrices":{"car":{"durations":[[0,2104,197,1299],[2103,0,2255,3152],)"
                      R"([197,2256,0,1102],[1299,3153,1102,0]]}}})");
  const RunResult result =
      in_folder("eco solve request.json --method expert --iterations 50 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto told = nlohmann::json::parse(result.out);
  EXPECT_EQ(told["cost"], 2104 + 2255 + 1102) << "the other way round is 197 + 2256 + 3152";
  EXPECT_EQ(told["tour"], nlohmann::json::parse("[0,1414,1515]"));
}

TEST_F(YourData, AMatrixIsEmbeddedWhenAskedAndItsDistortionTold) {
  (void)folder_.write("matrix.json", R"({"matrix":[[0,3,5,4],[3,0,4,5],[5,4,0,3],[4,5,3,0]]})");
  const RunResult result =
      in_folder("eco solve matrix.json --method nn --embed --svg plan.svg --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto told = nlohmann::json::parse(result.out);
  EXPECT_EQ(told["cost"], 14);
  EXPECT_LT(told["embedding_distortion"], 0.01);
  EXPECT_TRUE(contains(result.err, "distances are off by 0.0%")) << result.err;
  EXPECT_EQ(in_folder("eco solve matrix.json --method nn --svg plan.svg").code, 2)
      << "no coordinates";
  (void)folder_.write("points.csv", "id,x,y\nA,0,0\nB,1,1\n");
  EXPECT_EQ(in_folder("eco solve points.csv --embed").code, 2);
}

}  // namespace
}  // namespace eco
