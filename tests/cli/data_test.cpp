// generate, convert, check and info on real files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/run.h"

namespace eco {
namespace {

using Json = nlohmann::json;

Json json_of(const RunResult& result) {
  EXPECT_EQ(result.err, "");
  return Json::parse(result.out);
}

// Three nodes of a right triangle with sides 3, 4, 5.
constexpr const char* kTriangle =
    "NAME: triangle\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    "1 0 0\n2 3 0\n3 0 4\nEOF\n";
constexpr const char* kTriangleTour =
    "NAME: triangle\nTYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION\n1\n2\n3\n-1\nEOF\n";
// A depot between two customers at distance 5 and 10; each fills the vehicle.
constexpr const char* kTwoTrips =
    "NAME : trips\nTYPE : CVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 4\n"
    "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 -6 -8\nDEMAND_SECTION\n1 0\n2 3\n3 4\n"
    "DEPOT_SECTION\n1\n-1\nEOF\n";

TEST(GenerateVerb, GivesTheSameFileWhateverTheThreads) {
  TemporaryFolder folder;
  for (const char* problem : {"tsp", "cvrp"}) {
    std::vector<std::string> contents;
    for (const char* threads : {"1", "2", "5"}) {
      const std::string file = folder.path(std::string(problem) + threads + ".txt");
      const RunResult result = run_eco({"generate", problem, "--nodes", "30", "--count", "300",
                                        "--seed", "9", "--threads", threads, "--out", file});
      ASSERT_EQ(result.code, 0) << result.err;
      contents.push_back(read_text(file));
    }
    EXPECT_FALSE(contents[0].empty());
    EXPECT_EQ(contents[0], contents[1]);
    EXPECT_EQ(contents[0], contents[2]);
  }
}

TEST(GenerateVerb, ALaterStretchOfASeedIsThatPartOfTheWhole) {
  const std::string whole = run_eco({"generate", "tsp", "--nodes", "4", "--count", "10"}).out;
  const std::string tail =
      run_eco({"generate", "tsp", "--nodes", "4", "--count", "3", "--first", "7"}).out;
  ASSERT_FALSE(tail.empty());
  EXPECT_TRUE(whole.ends_with(tail));
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 10);
}

TEST(GenerateVerb, WritesWhatInfoThenReads) {
  TemporaryFolder folder;
  for (const char* file : {"x.vrp", "x.json"}) {
    const std::string path = folder.path(file);
    const RunResult made =
        run_eco({"generate", "cvrp", "--nodes", "40", "--distribution", "x", "--out", path});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out, "") << "the result is the file";
    const Json info = json_of(run_eco({"info", path, "--json"}));
    EXPECT_EQ(info["problem"], "cvrp");
    EXPECT_EQ(info["nodes"], "41");
    EXPECT_EQ(info["metric"], "euclidean, rounding nint");
    EXPECT_EQ(info["instances"], 1);
  }
}

TEST(GenerateVerb, ReportsItsFileAsJson) {
  TemporaryFolder folder;
  const Json result = json_of(run_eco({"generate", "cvrp", "--nodes", "20", "--count", "2",
                                       "--json", "--out", folder.path("a.txt")}));
  EXPECT_EQ(result["instances"], 2);
  EXPECT_EQ(result["capacity"], 30);
}

TEST(GenerateVerb, LeavesNoFileBehindIfTheFolderIsMissing) {
  TemporaryFolder folder;
  const RunResult result =
      run_eco({"generate", "tsp", "--nodes", "5", "--out", folder.path("missing/a.txt")});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(folder.files(), 0U);
}

TEST(CheckVerb, AcceptsAFeasibleTourWithItsCost) {
  TemporaryFolder folder;
  const std::string tsp = folder.write("a.tsp", kTriangle);
  const std::string tour = folder.write("a.tour", kTriangleTour);
  const RunResult text = run_eco({"check", tsp, tour});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "feasible, cost 12")) << text.out;
  const Json json = json_of(run_eco({"check", tsp, tour, "--json"}));
  EXPECT_EQ(json["feasible"], true);
  EXPECT_EQ(json["cost"], 12);
  EXPECT_EQ(json["rounding"], "nint");
}

TEST(CheckVerb, CountsRoutesAndNamesTheCapacity) {
  TemporaryFolder folder;
  const std::string vrp = folder.write("a.vrp", kTwoTrips);
  const std::string sol = folder.write("a.sol", "Route #1: 1\nRoute #2: 2\nCost 30\n");
  const Json json = json_of(run_eco({"check", vrp, sol, "--json"}));
  EXPECT_EQ(json["cost"], 30);
  EXPECT_EQ(json["routes"], 2);
  EXPECT_EQ(json["capacity"], 4);
}

TEST(CheckVerb, SaysNoWithTheReasonAndCodeOne) {
  TemporaryFolder folder;
  const std::string vrp = folder.write("a.vrp", kTwoTrips);
  const std::string sol = folder.write("a.sol", "Route #1: 1 2\nCost 30\n");
  const RunResult result = run_eco({"check", vrp, sol});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_TRUE(contains(result.out, "infeasible: route 1 carries 7")) << result.out;
  const RunResult json = run_eco({"check", vrp, sol, "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(Json::parse(json.out)["feasible"], false);
}

TEST(CheckVerb, RecomputesWithAnotherRoundingIfAsked) {
  TemporaryFolder folder;
  std::string diagonal = kTriangle;
  diagonal.replace(diagonal.find("3 0 4"), 5, "3 1 1");
  const std::string tsp = folder.write("a.tsp", diagonal);
  const std::string tour = folder.write("a.tour", kTriangleTour);
  EXPECT_EQ(json_of(run_eco({"check", tsp, tour, "--json"}))["cost"], 3 + 2 + 1);
  const Json exact = json_of(run_eco({"check", tsp, tour, "--json", "--round", "none"}));
  EXPECT_NEAR(exact["cost"].get<double>(), 3 + std::sqrt(5.0) + std::sqrt(2.0), 1e-12);
}

TEST(CheckVerb, JudgesEverySolutionThatAFileCarries) {
  TemporaryFolder folder;
  const std::string lines = folder.write("a.txt",
                                         "0 0 3 0 0 4 output 1 2 3 1\n"
                                         "0 0 6 0 0 8 output 1 3 2 1\n");
  const Json result = json_of(run_eco({"check", lines, "--json"}));
  EXPECT_EQ(result["feasible"], 2);
  EXPECT_EQ(result["mean_cost"], 18);

  const std::string right =
      folder.write("right.csv", "file,index,cost\na.txt,0,12\na.txt,1,24.000001\n");
  EXPECT_EQ(run_eco({"check", lines, "--costs", right}).code, 0);
  const std::string wrong = folder.write("wrong.csv", "file,index,cost\na.txt,0,12\na.txt,1,25\n");
  const RunResult differs = run_eco({"check", lines, "--costs", wrong});
  EXPECT_EQ(differs.code, 1);
  EXPECT_TRUE(contains(differs.out, "instance 1: cost 24, recorded 25")) << differs.out;
  const std::string longer =
      folder.write("longer.csv", "file,index,cost\na.txt,0,12\na.txt,1,24\na.txt,2,1\n");
  EXPECT_EQ(run_eco({"check", lines, "--costs", longer}).code, 3);
}

TEST(CheckVerb, GoesOnAfterAnInfeasibleSolutionAndNamesIt) {
  TemporaryFolder folder;
  const std::string lines = folder.write("a.txt",
                                         "0 0 3 0 0 4 output 1 2 2 1\n"
                                         "0 0 6 0 0 8 output 1 3 2 1\n");
  const RunResult result = run_eco({"check", lines});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_TRUE(contains(result.out, "1 of 2 solutions feasible, mean cost 24")) << result.out;
  EXPECT_TRUE(contains(result.out, "instance 0: infeasible: node 2 is visited twice"))
      << result.out;
}

TEST(CheckVerb, AsksForASolutionIfThereIsNone) {
  TemporaryFolder folder;
  const RunResult result = run_eco({"check", folder.write("a.tsp", kTriangle)});
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(contains(result.err, "without a solution")) << result.err;
}

TEST(ConvertVerb, KeepsInstanceAndSolutionThroughTheFormats) {
  TemporaryFolder folder;
  const std::string vrp = folder.write("a.vrp", kTwoTrips);
  const std::string sol = folder.write("a.sol", "Route #1: 2\nRoute #2: 1\nCost 30\n");
  const std::string json = folder.path("a.json"), back = folder.path("back.vrp");
  ASSERT_EQ(run_eco({"convert", vrp, json, "--solution", sol}).code, 0);
  EXPECT_EQ(json_of(run_eco({"check", json, "--json"}))["mean_cost"], 30);
  ASSERT_EQ(run_eco({"convert", json, back}).code, 0);
  ASSERT_EQ(run_eco({"convert", json, folder.path("back.sol")}).code, 0);
  EXPECT_EQ(json_of(run_eco({"check", back, folder.path("back.sol"), "--json"}))["cost"], 30);
}

TEST(ConvertVerb, ReadsStandardInputAndCompressesByName) {
  TemporaryFolder folder;
  const std::string packed = folder.path("a.txt.gz");
  const RunResult result =
      run_eco({"convert", "-", packed}, "0 0 3 0 0 4 output 1 2 3 1\n0 0 1 0 output 1 2 1\n");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json_of(run_eco({"info", packed, "--json"}))["instances"], 2);
}

TEST(ConvertVerb, PicksOneInstanceByItsIndex) {
  TemporaryFolder folder;
  const std::string lines = folder.write("a.txt", "0 0 3 0 0 4\n0 0 6 0 0 8 1 1\n");
  ASSERT_EQ(run_eco({"convert", lines, folder.path("one.json"), "--index", "1"}).code, 0);
  EXPECT_EQ(json_of(run_eco({"info", folder.path("one.json"), "--json"}))["nodes"], "4");
  const RunResult beyond = run_eco({"convert", lines, folder.path("no.json"), "--index", "2"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.path("no.json")));
}

TEST(ConvertVerb, RefusesWhatMakesNoSense) {
  TemporaryFolder folder;
  const std::string vrp = folder.write("a.vrp", kTwoTrips);
  const std::string lines = folder.write("a.txt", "0 0 3 0 0 4\n0 0 6 0 0 8\n");
  const std::size_t before = folder.files();
  EXPECT_EQ(run_eco({"convert", vrp, folder.path("out.tsp")}).code, 2) << "CVRP into a TSP file";
  EXPECT_EQ(run_eco({"convert", lines, folder.path("out.vrp")}).code, 2) << "TSP into a CVRP file";
  EXPECT_NE(run_eco({"convert", lines, folder.path("out.tsp")}).code, 0)
      << "two into a file of one";
  EXPECT_EQ(run_eco({"convert", vrp, folder.path("out.sol")}).code, 3) << "no solution to write";
  EXPECT_EQ(run_eco({"convert", vrp, folder.path("out.xyz")}).code, 2) << "no such format";
  EXPECT_EQ(folder.files(), before) << "a refusal leaves no file";
}

TEST(ConvertVerb, WarnsWhereTheRoundingIsLost) {
  TemporaryFolder folder;
  const std::string vrp = folder.write("a.vrp", kTwoTrips);
  EXPECT_TRUE(contains(run_eco({"convert", vrp, folder.path("a.txt")}).err, "rounding"));
  EXPECT_EQ(run_eco({"convert", vrp, folder.path("a.json")}).err, "");
}

TEST(ConvertVerb, DrawsAPicture) {
  TemporaryFolder folder;
  const std::string vrp = folder.write("a.vrp", kTwoTrips);
  const std::string sol = folder.write("a.sol", "Route #1: 1\nRoute #2: 2\nCost 30\n");
  ASSERT_EQ(run_eco({"convert", vrp, folder.path("a.svg"), "--solution", sol}).code, 0);
  const std::string svg = read_text(folder.path("a.svg"));
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  EXPECT_TRUE(contains(svg, "cost 30"));
}

TEST(BadInput, GivesCodeThreeAMessageWithThePlaceAndNoOutput) {
  TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> bad{
      {"truncated.tsp", std::string(kTriangle, std::string(kTriangle).find("3 0 4"))},
      {"lies.tsp",
       "TYPE: TSP\nDIMENSION: 1000000000000\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"},
      {"nan.txt", "0 0 nan 1\n"},
      {"huge.txt", "0 0 1e400 1\n"},
      {"odd.txt", "0 0 1\n"},
      {"bytes.txt", std::string("\x00\xff\xfe\x01", 4)},
      {"bad.json", "{\"type\": "},
      {"empty.txt", ""}};
  for (const auto& [name, content] : bad) {
    const std::string in = folder.write(name, content);
    const std::string out = folder.path("out.json");
    const RunResult result = run_eco({"convert", in, out});
    EXPECT_EQ(result.code, 3) << name << ": " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, name)) << result.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << name;
  }
  EXPECT_EQ(folder.files(), bad.size()) << "no temporary files either";
  EXPECT_EQ(run_eco({"info", folder.path("missing.tsp")}).code, 3);
}

TEST(InfoVerb, DescribesTheBuild) {
  const Json info = json_of(run_eco({"info", "--json"}));
  EXPECT_TRUE(info.contains("version"));
  EXPECT_TRUE(info.contains("simd"));
  EXPECT_GE(info["cores"].get<int>(), 1);
}

}  // namespace
}  // namespace eco
