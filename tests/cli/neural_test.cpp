// The policy through the real binary: eco eval, and eco solve with weights.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/run.h"
#include "core/model/weights.h"
#include "io/weights.h"
#include "paths.h"

namespace eco {
namespace {

using nlohmann::json;

ModelConfig small(ModelConfig config) {
  config.dim = 16;
  config.heads = 2;
  if (config.constructor == ConstructorKind::merging) config.scorer_dim = 16;
  return config;
}

std::string fixed(double value, int digits) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
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
  const json found = json::parse(result.out)["sensitivity"];
  EXPECT_LT(found["per_instance"]["largest_deviation_percent"].get<double>(), 1e-9);
  EXPECT_LT(found["cost_deviation"].get<double>(), 1e-9);
}

TEST_F(Neural, EvalGivesTheMeanGapOfEveryInputOrderAndTheirDeviation) {
  ModelConfig config = paper_preset(ProblemKind::tsp);
  config.ordering = Ordering::raw;
  const std::string model = weights(config), labelled = folder.path("labelled.txt");
  ASSERT_EQ(
      run_eco({"label", instances("tsp", "20"), "--out", labelled, "--iterations", "100"}).code, 0);
  const std::vector<std::string> command{"eval", labelled,         "--weights",
                                         model,  "--permutations", "3"};
  std::vector<std::string> as_json = command;
  as_json.emplace_back("--json");
  const json all = json::parse(run_eco(as_json).out), found = all["sensitivity"];
  const auto gaps = found["gaps_percent"].get<std::vector<double>>();
  ASSERT_EQ(gaps.size(), 3U);
  const double mean = (gaps[0] + gaps[1] + gaps[2]) / 3;
  const double squares = (gaps[0] - mean) * (gaps[0] - mean) + (gaps[1] - mean) * (gaps[1] - mean) +
                         (gaps[2] - mean) * (gaps[2] - mean);
  EXPECT_NEAR(found["mean_gap_percent"].get<double>(), mean, 1e-9);
  EXPECT_NEAR(found["gap_deviation"].get<double>(), std::sqrt(squares / 2), 1e-9);
  EXPECT_GT(found["gap_deviation"].get<double>(), 0);
  EXPECT_GT(found["per_instance"]["mean_deviation_percent"].get<double>(), 0);
  EXPECT_EQ(found["permutations"], 3);

  const std::string text = run_eco(command).out;
  EXPECT_TRUE(contains(text, "3 input orders, mean gap")) << text;
  for (const double gap : gaps) EXPECT_TRUE(contains(text, " " + fixed(gap, 3) + " %")) << text;
  EXPECT_TRUE(contains(text, "the cost of one instance deviates")) << text;
  // A deviation needs two.
  EXPECT_EQ(run_eco({"eval", labelled, "--weights", model, "--permutations", "1"}).code, 2);
}

TEST_F(Neural, SolveUsesWeightsThatAreNamed) {
  const RunResult result =
      run_eco({"solve", instances("tsp", "25"), "--weights", weights(best_preset(ProblemKind::tsp)),
               "--json", "--out", folder.path("a.tour")});
  ASSERT_EQ(result.code, 0) << result.err;
  const json found = json::parse(result.out);
  EXPECT_EQ(found["method"], "policy");
  EXPECT_TRUE(std::filesystem::exists(folder.path("a.tour")));
}

TEST_F(Neural, ATimeLimitStillGivesASolution) {
  const RunResult result =
      run_eco({"solve", instances("cvrp", "100"), "--weights",
               weights(best_preset(ProblemKind::cvrp)), "--time-limit", "0.001", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["feasible"], true);
}

TEST_F(Neural, RefinementIsTimedApartAndNeverLengthens) {
  const json found =
      json::parse(run_eco({"solve", instances("tsp", "100"), "--weights",
                           weights(best_preset(ProblemKind::tsp)), "--refine", "--json"})
                      .out);
  EXPECT_EQ(found["refine"], true);
  EXPECT_LT(found["cost"].get<double>(), found["cost_before_refinement"].get<double>());
  EXPECT_NEAR(found["seconds"].get<double>(),
              found["method_seconds"].get<double>() + found["refine_seconds"].get<double>(), 1e-9);
}

TEST_F(Neural, InterruptedWritesAWholeTour) {
  const std::string data = instances("tsp", "500"), out = folder.path("best.tour");
  // It is at work once it shows progress.
  const std::string script = program_path("eco") + " solve " + data + " --index 0 --weights " +
                             weights(best_preset(ProblemKind::tsp)) +
                             " --decode sample:4000 --progress --json --out " + out +
                             " 2> progress & pid=$!; until [ -s progress ]; do sleep 0.05; done; "
                             "kill -TERM $pid; wait $pid";
  const RunResult result = run_program({"/bin/sh", "-c", "cd " + folder.path("") + "; " + script});
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_EQ(json::parse(result.out, nullptr, false)["interrupted"], true) << result.out;
  EXPECT_EQ(run_eco({"check", data, out}).code, 0);
}

TEST_F(Neural, EvalGivesARowForEveryFile) {
  const std::string small = instances("tsp", "20"), large = instances("tsp", "30");
  const std::string model = weights(paper_preset(ProblemKind::tsp));
  const json found =
      json::parse(run_eco({"eval", small, large, "--weights", model, "--json"}).out)["results"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["nodes"], 20);
  EXPECT_EQ(found[1]["nodes"], 30);
  const json alone = json::parse(run_eco({"eval", large, "--weights", model, "--json"}).out);
  EXPECT_EQ(found[1]["mean_cost"], alone["mean_cost"]);
  const RunResult table = run_eco({"eval", small, large, "--weights", model});
  EXPECT_NE(table.out.find(small), std::string::npos) << table.out;
  EXPECT_NE(table.out.find(large), std::string::npos) << table.out;
}

TEST_F(Neural, EvalMeasuresAgainstTheReferencesOfTheFile) {
  const std::string labelled = folder.path("labelled.txt");
  ASSERT_EQ(
      run_eco({"label", instances("tsp", "20"), "--out", labelled, "--iterations", "50"}).code, 0);
  const json found =
      json::parse(run_eco({"eval", labelled, "--weights", weights(paper_preset(ProblemKind::tsp)),
                           "--batch", "8", "--json"})
                      .out);
  EXPECT_EQ(found["with_reference"], 5);
  const double gap = found["mean_gap_percent"];
  EXPECT_GT(gap, 0);
  EXPECT_LE(found["gap_ci95"][0].get<double>(), gap);
  EXPECT_GE(found["gap_ci95"][1].get<double>(), gap);
}

TEST(Bench, ASoakChecksEverySolution) {
  const RunResult result = run_eco({"bench", "soak", "--count", "60", "--json"});
  const json found = json::parse(result.out, nullptr, false);
  EXPECT_EQ(found["instances"], 60) << result.err;
  EXPECT_EQ(found["infeasible"], 0);
  EXPECT_GE(found["solutions"], 60);
  EXPECT_EQ(found["allocated_bytes"].size(), 10U);
  EXPECT_EQ(found["resident_bytes"].size(), 10U);
}

TEST(Bench, RefusesWhatItDoesNotMeasure) {
  const RunResult result = run_eco({"bench", "decoed"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("decode"), std::string::npos) << result.err;
}

TEST_F(Neural, EffortIsForPresetBestAndBeamsAreForPaper) {
  const std::string tsp = instances("tsp", "60"), best = weights(best_preset(ProblemKind::tsp));
  std::set<double> costs;
  for (const char* effort : {"fast", "balanced", "thorough"}) {
    const RunResult result =
        run_eco({"eval", tsp, "--weights", best, "--effort", effort, "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    costs.insert(json::parse(result.out)["mean_cost"].get<double>());
  }
  EXPECT_GT(costs.size(), 1U);
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--decode", "beam:4"},
                                                {"--decode", "multistart:4"},
                                                {"--candidates", "8"},
                                                {"--decode", "sample:4", "--top-k", "2"}}) {
    std::vector<std::string> command{"eval", tsp, "--weights", best};
    command.insert(command.end(), wrong.begin(), wrong.end());
    const RunResult result = run_eco(command);
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(contains(result.err, "preset paper")) << result.err;
  }
  const std::string paper = weights(paper_preset(ProblemKind::tsp));
  const RunResult result = run_eco({"eval", tsp, "--weights", paper, "--effort", "fast"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "preset best")) << result.err;
}

TEST_F(Neural, WrongUsesAreExplained) {
  const std::string tsp = instances("tsp", "20"), model = weights(paper_preset(ProblemKind::tsp));
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--decode", "sample"}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--decode", "beam:0"}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--batch", "none"}).code, 2);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model, "--effort", "quick"}).code, 2);
  const RunResult other = run_eco({"eval", instances("cvrp", "20"), "--weights", model});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("the weights are for tsp"), std::string::npos) << other.err;
  std::filesystem::resize_file(model, 1000);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", model}).code, 3);
  EXPECT_EQ(run_eco({"eval", tsp, "--weights", folder.path("none")}).code, 3);
}

}  // namespace
}  // namespace eco
