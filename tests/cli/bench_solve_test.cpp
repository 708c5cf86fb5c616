// eco bench solve through the real binary.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>

#include "cli/run.h"
#include "temporary_folder.h"

namespace eco {
namespace {

using BenchJson = nlohmann::json;

TEST(BenchSolve, PutsMethodsBesideEachOtherOnTheUsersFiles) {
  const TemporaryFolder folder;
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string file = folder.path(problem + ".txt");
    ASSERT_EQ(run_eco({"generate", problem, "--nodes", "40", "--count", "3", "--out", file}).code,
              0);
    const RunResult result = run_eco({"bench", "solve", file, "--times", "0.02,0.05", "--count",
                                      "2", "--threads", "1", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const BenchJson told = BenchJson::parse(result.out);
    std::set<std::string> methods;
    for (const BenchJson& row : told["results"]) {
      methods.insert(row["method"]);
      ASSERT_EQ(row["instances"].size(), 2U) << "of three, as --count says";
      double sum = 0;
      for (const BenchJson& run : row["instances"]) {
        EXPECT_GE(run["gap_percent"], 0) << "to the best of this run";
        sum += run["gap_percent"].get<double>();
      }
      EXPECT_NEAR(row["mean_gap_percent"].get<double>(), sum / 2, 1e-9);
      EXPECT_EQ(row["instances"][0]["name"], file);
    }
    EXPECT_TRUE(methods.contains("auto") && methods.contains("expert")) << result.out;
    EXPECT_TRUE(methods.contains(problem == "tsp" ? "insertion" : "savings")) << result.out;
  }
}

TEST(BenchSolve, DrawsWhatThePolicyReachesWithEveryEffort) {
  const TemporaryFolder folder;
  const std::string file = folder.path("tsp.txt"), out = folder.path("frontier.svg");
  ASSERT_EQ(run_eco({"generate", "tsp", "--nodes", "30", "--out", file}).code, 0);
  const RunResult result = run_eco({"bench", "solve", file, "--times", "0.01,0.02", "--policies",
                                    "--out", out, "--threads", "1", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  std::set<std::string> methods;
  const BenchJson told = BenchJson::parse(result.out);
  for (const BenchJson& row : told["results"]) methods.insert(row["method"]);
  for (const char* name : {"policy fast", "policy balanced", "policy thorough", "policy best of 8",
                           "policy best of 32", "nearest neighbour"}) {
    EXPECT_TRUE(methods.contains(name)) << name;
  }
  std::ifstream svg(out);
  const std::string text((std::istreambuf_iterator<char>(svg)), {});
  for (const char* part :
       {"</svg>", "policy fast, balanced, thorough", "best of 8, 32", "insertion"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(BenchSolve, AProgramThatGivesNoPlanIsCountedAndNotCompared) {
  const TemporaryFolder folder;
  const std::string file = folder.path("cvrp.txt");
  ASSERT_EQ(run_eco({"generate", "cvrp", "--nodes", "12", "--out", file}).code, 0);
  const std::string silent = folder.write("hgs.sh", "#!/bin/sh\nexit 0\n");
  std::filesystem::permissions(silent, std::filesystem::perms::owner_all);
  const RunResult result = run_eco({"bench", "solve", file, "--times", "0.02", "--program",
                                    "hgs-bin", "--solver-path", silent, "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const BenchJson row = BenchJson::parse(result.out)["results"].back();
  EXPECT_EQ(row["method"], "hgs-bin");
  EXPECT_EQ(row["solved"], 0);
  EXPECT_FALSE(row.contains("mean_gap_percent"));
}

TEST(BenchSolve, KeepsRunsAndDoesNotRepeatThem) {
  const TemporaryFolder folder;
  const std::string tsp = folder.path("tsp.txt"), runs = folder.path("runs.jsonl");
  ASSERT_EQ(run_eco({"generate", "tsp", "--nodes", "20", "--out", tsp}).code, 0);
  const std::vector<std::string> command{
      "bench",  "solve", tsp,     "--times", "0.02", "--only", "auto,nearest neighbour",
      "--runs", runs,    "--json"};
  const RunResult first = run_eco(command);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(BenchJson::parse(first.out)["results"].size(), 2U);
  std::ofstream(runs, std::ios::app) << "\n{\"instance\":\"cut o";  // as a kill leaves it
  EXPECT_EQ(run_eco(command).out, first.out) << "the same seconds, so nothing was run";
  std::ofstream(runs, std::ios::app) << "\n{}\n";
  EXPECT_EQ(run_eco(command).code, 3) << "not the last line: nothing of ours";
  const RunResult unknown = run_eco({"bench", "solve", tsp, "--only", "magic"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("nearest neighbour"), std::string::npos) << unknown.err;
}

TEST(BenchSolve, RefusesWhatItCannotCompare) {
  const TemporaryFolder folder;
  const std::string tsp = folder.path("tsp.txt"), cvrp = folder.path("cvrp.txt");
  ASSERT_EQ(run_eco({"generate", "tsp", "--nodes", "9", "--out", tsp}).code, 0);
  ASSERT_EQ(run_eco({"generate", "cvrp", "--nodes", "9", "--out", cvrp}).code, 0);
  EXPECT_EQ(run_eco({"bench", "solve"}).code, 2);
  EXPECT_EQ(run_eco({"bench", "solve", tsp, cvrp, "--times", "0.01"}).code, 2);
  EXPECT_EQ(run_eco({"bench", "solve", tsp, "--times", "0"}).code, 2);
  EXPECT_EQ(run_eco({"bench", "solve", tsp, "--seconds", "3"}).code, 2);
  EXPECT_EQ(run_eco({"bench", "latency", tsp}).code, 2);
  EXPECT_EQ(run_eco({"bench", "latency", "--policies"}).code, 2);
  const RunResult nowhere =
      run_eco({"bench", "solve", tsp, "--times", "3600", "--out", folder.path("no/where.svg")});
  EXPECT_NE(nowhere.code, 0) << "refused before the hour";
  EXPECT_EQ(run_eco({"bench", "latency", "--program", "lkh"}).code, 2);
  EXPECT_EQ(run_eco({"bench", "latency", "--only", "auto"}).code, 2);
}

}  // namespace
}  // namespace eco
