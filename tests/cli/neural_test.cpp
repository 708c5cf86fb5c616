// The policy through the real binary: eco eval, and eco solve with weights.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/run.h"
#include "core/model/weights.h"
#include "io/weights.h"

namespace eco {
namespace {

using nlohmann::json;

ModelConfig small(ModelConfig config) {
  config.dim = 16;
  config.candidate_dim = 16;
  config.heads = 4;
  return config;
}

class Neural : public ::testing::Test {
 protected:
  std::string weights(const ModelConfig& config) {
    const std::string path = folder.path("model.safetensors");
    io::save_weights(path, random_weights(small(config), 1));
    return path;
  }
  std::string instances(const std::string& problem, const std::string& nodes) {
    const std::string path = folder.path(problem + nodes + ".txt");
    const RunResult made = run_eco(
        {"generate", problem, "--nodes", nodes, "--count", "5", "--seed", "3", "--out", path});
    EXPECT_EQ(made.code, 0) << made.err;
    return path;
  }
  TemporaryFolder folder;
};

TEST_F(Neural, EvalPrintsWhatTheDesignPromises) {
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp)}) {
    const std::string problem(to_string(config.problem));
    const RunResult result =
        run_eco({"eval", instances(problem, "20"), "--weights", weights(config), "--batch", "2",
                 "--decode", "sample:3", "--permutations", "2", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json found = json::parse(result.out);
    EXPECT_EQ(found["problem"], problem);
    EXPECT_EQ(found["instances"], 5);
    EXPECT_EQ(found["feasible"], 5);
    EXPECT_EQ(found["decode"], "sample:3");
    EXPECT_GT(found["mean_cost"].get<double>(), 1.0);
    for (const char* key : {"nodes", "seconds", "instances_per_second", "peak_rss_bytes", "weights",
                            "threads", "sensitivity"}) {
      EXPECT_TRUE(found.contains(key)) << key;
    }
  }
}

TEST_F(Neural, CanonicalOrderMakesTheInputOrderIrrelevant) {
  const RunResult result =
      run_eco({"eval", instances("tsp", "30"), "--weights", weights(paper_preset(ProblemKind::tsp)),
               "--permutations", "4", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_LT(json::parse(result.out)["sensitivity"]["largest_deviation_percent"].get<double>(),
            1e-9);
}

TEST_F(Neural, SolveUsesWeightsThatAreNamed) {
  const RunResult result =
      run_eco({"solve", instances("tsp", "25"), "--weights", weights(best_preset(ProblemKind::tsp)),
               "--json", "--out", folder.path("a.tour")});
  ASSERT_EQ(result.code, 0) << result.err;
  const json found = json::parse(result.out);
  EXPECT_EQ(found["method"], "neural");
  EXPECT_TRUE(std::filesystem::exists(folder.path("a.tour")));
}

TEST_F(Neural, ATimeLimitStillGivesASolution) {
  const RunResult result =
      run_eco({"solve", instances("cvrp", "100"), "--weights",
               weights(best_preset(ProblemKind::cvrp)), "--time-limit", "0.001", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["feasible"], true);
}

TEST_F(Neural, WrongUsesAreExplained) {
  const std::string tsp = instances("tsp", "20"), model = weights(paper_preset(ProblemKind::tsp));
  EXPECT_EQ(run_eco({"eval", tsp}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--decode", "sample"}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--decode", "beam:0"}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--batch", "none"}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--reencode", "2"}).code, 2);
  const RunResult other = run_eco({"eval", instances("cvrp", "20"), "--weights", model});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("the weights are for tsp"), std::string::npos) << other.err;
  std::filesystem::resize_file(model, 1000);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model}).code, 3);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", folder.path("none")}).code, 3);
}

}  // namespace
}  // namespace eco
