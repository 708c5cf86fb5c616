// The binary with weights inside: eco-embedded is eco with small untrained ones.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/run.h"
#include "paths.h"

namespace eco {
namespace {

using nlohmann::json;

RunResult run_embedded(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program_path("eco-embedded"));
  return run_program(arguments);
}

json result_of(const RunResult& run) {
  EXPECT_EQ(run.code, 0) << run.err;
  return json::parse(run.out, nullptr, false);
}

class Embedded : public ::testing::Test {
 protected:
  std::string instances(const std::string& problem) {
    const std::string path = folder.path(problem + ".txt");
    EXPECT_EQ(run_eco({"generate", problem, "--nodes", "30", "--count", "2", "--seed", "3", "--out",
                       path})
                  .code,
              0);
    return path;
  }
  static std::string file(const std::string& problem) { return test_weights_path(problem); }
  TemporaryFolder folder;
};

TEST_F(Embedded, WeightsAreTheDefaultAndGiveWhatTheirFileGives) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string data = instances(problem);
    const json inside = result_of(run_embedded({"solve", data, "--json", "--method", "policy"}));
    const json outside =
        result_of(run_embedded({"solve", data, "--json", "--weights", file(problem)}));
    EXPECT_EQ(inside["method"], "policy");
    EXPECT_EQ(inside["cost"], outside["cost"]);
    const json by_name = result_of(run_embedded({"solve", data, "--json", "--weights", "default"}));
    EXPECT_EQ(by_name["cost"], inside["cost"]);
    const json measured = result_of(run_embedded({"eval", data, "--json"}));
    EXPECT_EQ(measured["weights"], "embedded weights");
    EXPECT_EQ(measured["mean_cost"],
              result_of(run_embedded({"eval", data, "--json", "-w", file(problem)}))["mean_cost"]);
  }
}

// Locations beside a matrix are for the picture; the distances are those of the matrix.
TEST_F(Embedded, AMatrixIsSolvedTheSameWhetherItHasLocationsOrNot) {
  json bare, located;
  constexpr int kNodes = 30;
  for (int i = 0; i < kNodes; ++i) {
    json row = json::array();
    for (int j = 0; j < kNodes; ++j) row.push_back(std::abs((i * 7) % 30 - (j * 7) % 30));
    bare["matrix"].push_back(row);
    located["nodes"].push_back({{"id", i + 1}, {"location", {i % 6, i / 6}}});
  }
  located["matrix"] = bare["matrix"];
  const json without = result_of(run_embedded(
      {"solve", folder.write("bare.json", bare.dump()), "--json", "--iterations", "2000"}));
  const std::string file = folder.write("located.json", located.dump());
  const json with = result_of(run_embedded({"solve", file, "--json", "--iterations", "2000"}));
  EXPECT_EQ(with["method"], "auto");
  EXPECT_EQ(with["cost"], without["cost"]);
  const RunResult asked = run_embedded({"solve", file, "--json", "--method", "policy"});
  EXPECT_EQ(result_of(asked)["method"], "policy");
  EXPECT_TRUE(contains(asked.err, "reads the locations, not the distance matrix")) << asked.err;
}

// Untrained weights leave long solutions; cut short, they must not.
TEST_F(Embedded, APolicyThatIsCutShortGivesNoMoreThanANearestNeighbour) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string data = folder.path(problem + "1000.txt");
    ASSERT_EQ(run_eco({"generate", problem, "--nodes", "1000", "--out", data}).code, 0);
    const json nearest = result_of(run_embedded({"solve", data, "--method", "nn", "--json"}));
    const json cut = result_of(
        run_embedded({"solve", data, "--method", "policy", "--time-limit", "1e-9", "--json"}));
    EXPECT_TRUE(contains(cut["method_detail"], "cut short")) << cut;
    EXPECT_LE(cut["cost"], nearest["cost"]);
  }
}

TEST_F(Embedded, NamingAnExpertOrAMethodStillGivesIt) {
  const std::string data = instances("tsp");
  EXPECT_EQ(result_of(run_embedded({"solve", data, "--json", "--iterations", "10"}))["method"],
            "auto");
  EXPECT_EQ(result_of(run_embedded({"solve", data, "--json", "--expert", "ils"}))["method"],
            "expert");
  EXPECT_EQ(result_of(run_embedded({"solve", data, "--json", "--method", "nn"}))["method"], "nn");
}

TEST_F(Embedded, ADistanceMatrixWithoutCoordinatesIsSolvedBySearch) {
  const std::string matrix =
      folder.write("m.tsp",
                   "NAME: m\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
                   "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n4 5\n6\nEOF\n");
  const json found = result_of(run_embedded({"solve", matrix, "--json"}));
  EXPECT_EQ(found["method_detail"], "ils");
  EXPECT_EQ(found["time_limit"], 0.1) << "by size, and told";
  EXPECT_EQ(found["record"].back()[1], found["cost"]);
}

TEST_F(Embedded, InfoPrintsConfigParametersAndNotes) {
  const json all = result_of(run_embedded({"info", "--weights", "default", "--json"}));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["problem"], "tsp");
  EXPECT_EQ(all[1]["problem"], "cvrp");
  for (const json& one : all) {
    EXPECT_EQ(one["dim"], "16");
    EXPECT_EQ(one["train.hours"], "0");
    EXPECT_GT(one["parameters"].get<int>(), 1000);
  }
  json by_file = result_of(run_embedded({"info", "--weights", file("tsp"), "--json"}));
  EXPECT_EQ(by_file["bytes"], std::filesystem::file_size(file("tsp")));
  by_file["weights"] = all[0]["weights"];
  EXPECT_EQ(by_file, all[0]);
  EXPECT_EQ(result_of(run_embedded({"info", "--json"}))["weights"], "tsp cvrp");
}

TEST_F(Embedded, ConvertStoresWeightsInHalfTheRoomWithNotes) {
  const std::string half = folder.path("half.safetensors");
  ASSERT_EQ(run_eco({"convert", file("tsp"), half, "--half", "--note", "train.hours=12"}).code, 0);
  EXPECT_LT(std::filesystem::file_size(half), std::filesystem::file_size(file("tsp")) * 7 / 10);
  const json found = result_of(run_eco({"info", "--weights", half, "--json"}));
  EXPECT_EQ(found["train.hours"], "12");
  EXPECT_EQ(found["train.recipe"], "none, random weights");
  EXPECT_EQ(run_eco({"solve", instances("tsp"), "--weights", half}).code, 0);
  EXPECT_EQ(run_eco({"convert", instances("tsp"), folder.path("a.json"), "--half"}).code, 2);
  EXPECT_EQ(run_eco({"convert", file("tsp"), half, "--note", "hours"}).code, 2);
  EXPECT_EQ(run_eco({"convert", file("tsp"), half, "--note", "dim=3"}).code, 2);
}

}  // namespace
}  // namespace eco
