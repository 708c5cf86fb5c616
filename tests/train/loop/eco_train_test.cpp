// The real binary, end to end, on tiny models: what it learns and that it learns it again.

#include "train/loop/eco_train.h"
#include "paths.h"

#include <cmath>

#include "train/objective/registry.h"

namespace {

TEST_F(EcoTrain, ResumeAfterKillsGivesTheSameBits) {
  for (const std::string threads : {"1", "2"}) {
    for (const std::string preset : {"paper", "best"}) {
      const std::string name = preset + threads;
      const std::vector<std::string> more = {"--threads", threads, "--set", "preset=" + preset};
      ASSERT_EQ(run("sft", name, more), 0) << error();
      run_with_kills("sft", name + "-killed", more, 17);
      EXPECT_FALSE(last(name, "sft").empty());
      EXPECT_EQ(last(name, "sft"), last(name + "-killed", "sft")) << name;
    }
  }
}

TEST_F(EcoTrain, DpoResumesToTheSameBits) {
  config({"checkpoint.steps = 1"});
  for (const std::string preset : {"paper", "best"}) {
    std::vector<std::string> more = {"--set", "preset=" + preset, "--set", "improve.init=none",
                                     "--set", "average=0"};
    ASSERT_EQ(run("improve", preset + "-plain", more), 0) << error();
    more.back() = "average=0.8";
    ASSERT_EQ(run("improve", preset, more), 0) << error();
    EXPECT_TRUE(last(preset, "improve") != last(preset + "-plain", "improve")) << preset;
    run_with_kills("improve", preset + "-killed", more, 23);
    EXPECT_FALSE(last(preset, "improve").empty());
    EXPECT_EQ(last(preset, "improve"), last(preset + "-killed", "improve"));
  }
}

// Of all three kinds of pairs, and with a reference that is refreshed now and then.
TEST_F(EcoTrain, PreferencesOfMergingResumeToTheSameBits) {
  for (const std::string problem : {"tsp", "cvrp", "path"}) {
    config({"preset = best", "checkpoint.steps = 1", "improve.init = none",
            "improve.objective = dpo", "improve.alpha = 0.3", "imitate.expert = 0.3",
            "improve.nll = 0.5", "problem = " + problem});
    ASSERT_EQ(run("improve", problem), 0) << error();
    run_with_kills("improve", problem + "-killed", {}, 23);
    EXPECT_FALSE(last(problem, "improve").empty());
    EXPECT_EQ(last(problem, "improve"), last(problem + "-killed", "improve"));
    double pairs = 0;
    for (const auto& line : lines_of(folder_ / problem / "improve/metrics.jsonl")) {
      if (line["kind"] != "train") continue;
      for (const auto& source : line["margin"]) pairs += source["pairs"].get<double>();
      EXPECT_TRUE(std::isfinite(line["preference_loss"].get<double>()));
    }
    EXPECT_GT(pairs, 0) << problem;
  }
}

// The first round makes the same states, which the second pass shows from another side.
TEST_F(EcoTrain, ASecondPassOfMergingLearnsTwiceFromTheSameStates) {
  config({"preset = best", "improve.init = none", "improve.objective = complete"});
  ASSERT_EQ(run("improve", "once"), 0) << error();
  ASSERT_EQ(run("improve", "twice", {"--set", "improve.epochs=2"}), 0) << error();
  const auto first = [&](const std::string& name) {
    for (const auto& line : lines_of(folder_ / name / "improve/metrics.jsonl")) {
      if (line["kind"] == "train") return line;
    }
    return nlohmann::json();
  };
  const auto once = first("once"), twice = first("twice");
  EXPECT_EQ(twice["states"], once["states"]);
  EXPECT_EQ(twice["tokens"].get<double>(), 2 * once["tokens"].get<double>());
  EXPECT_GT(twice["loss"].get<double>(), 0);
  EXPECT_TRUE(last("once", "improve") != last("twice", "improve"));
}

TEST_F(EcoTrain, TheSameSeedGivesTheSameBytesAndAnotherDoesNot) {
  ASSERT_EQ(run("sft", "a"), 0) << error();
  ASSERT_EQ(run("sft", "b"), 0) << error();
  ASSERT_EQ(run("sft", "c", {"--seed", "5"}), 0) << error();
  EXPECT_EQ(last("a", "sft"), last("b", "sft"));
  EXPECT_NE(last("a", "sft"), last("c", "sft"));
}

TEST_F(EcoTrain, TheNumberOfThreadsChangesNoBit) {
  config({"improve.init = none"});
  for (const std::string preset : {"paper", "best"}) {
    for (const std::string stage : {"sft", "improve"}) {
      std::vector<std::string> weights;
      for (const std::string threads : {"1", "2", "3"}) {
        const std::string out = preset + threads;
        ASSERT_EQ(run(stage, out, {"--threads", threads, "--set", "preset=" + preset}), 0)
            << error();
        weights.push_back(last(out, stage));
      }
      EXPECT_FALSE(weights[0].empty());
      EXPECT_TRUE(weights[0] == weights[1]) << preset << " " << stage;
      EXPECT_TRUE(weights[0] == weights[2]) << preset << " " << stage;
    }
  }
}

TEST_F(EcoTrain, PlainOperationsLearnTheSameInOtherBits) {
  ASSERT_EQ(run("sft", "fused"), 0) << error();
  ASSERT_EQ(run("sft", "plain", {"--ops", "plain"}), 0) << error();
  EXPECT_NE(last("fused", "sft"), last("plain", "sft"));
  const auto fused = lines_of(folder_ / "fused/sft/metrics.jsonl");
  const auto plain = lines_of(folder_ / "plain/sft/metrics.jsonl");
  ASSERT_EQ(fused.size(), plain.size());
  for (std::size_t i = 0; i < fused.size(); ++i) {
    if (fused[i]["kind"] != "train") continue;
    EXPECT_NEAR(fused[i]["loss"].get<double>(), plain[i]["loss"].get<double>(), 1e-3);
  }
  EXPECT_EQ(run("sft", "other", {"--ops", "quick"}), 2);
  EXPECT_NE(error().find("one of fused, plain"), std::string::npos) << error();
}

TEST_F(EcoTrain, SigtermSavesAndResumes) {
  config({"sft.steps = 100000", "checkpoint.steps = 0"});
  const pid_t child = start({"sft", "--out", (folder_ / "run").string()});
  wait_for_lines("run", "sft", 3);
  // The signals come to a thread that does nothing else.
  const std::uint64_t both = 1U << (SIGINT - 1) | 1U << (SIGTERM - 1);
  std::size_t open_to_both = 0;
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(child) + "/task")) {
    const std::string status = read(thread.path() / "status");
    const std::size_t field = status.find("SigBlk:");
    ASSERT_NE(field, std::string::npos);
    const std::uint64_t blocked = std::stoull(status.substr(field + 7), nullptr, 16) & both;
    const bool computes = thread.path().filename() == std::to_string(child);
    EXPECT_TRUE(!computes || blocked == both);
    open_to_both += blocked == 0 ? 1 : 0;
  }
  EXPECT_GE(open_to_both, 1U);
  kill(child, SIGTERM);
  EXPECT_EQ(wait(child), 130);
  EXPECT_EQ(count_saved("run", "sft"), 1U);
}

TEST_F(EcoTrain, EveryObjectiveTrains) {
  using eco::ConstructorKind;
  for (const ConstructorKind constructor :
       {ConstructorKind::sequential, ConstructorKind::merging}) {
    const std::string preset = constructor == ConstructorKind::merging ? "best" : "paper";
    config({"preset = " + preset, "imitate.expert = 0.3", "sft.steps = 20"});
    ASSERT_EQ(run("sft", preset), 0) << error();
    for (const std::string_view name : eco::train::objective_names(constructor)) {
      const std::string objective(name), out = preset + "-" + objective;
      EXPECT_EQ(run("improve", out,
                    {"--set", "improve.objective=" + objective, "--set",
                     "improve.init=" + (folder_ / preset / "sft/best.safetensors").string()}),
                0)
          << error();
      for (const auto& line : lines_of(folder_ / out / "improve/metrics.jsonl")) {
        if (line["kind"] != "train") continue;
        EXPECT_TRUE(std::isfinite(line["loss"].get<double>())) << out;
      }
    }
  }
}

TEST_F(EcoTrain, TheFirstDpoLossIsLogTwo) {
  config({"improve.iterations = 1", "improve.tokens = 100000"});
  ASSERT_EQ(run("improve", "run", {"--set", "improve.init=none"}), 0) << error();
  for (const auto& line : lines_of(folder_ / "run/improve/metrics.jsonl")) {
    if (line["kind"] == "train") {
      EXPECT_NEAR(line["loss"].get<double>(), std::log(2.0), 1e-6);
    }
  }
}

TEST_F(EcoTrain, BothProblemsAndBackbonesTrain) {
  const std::vector<std::vector<std::string>> cases{
      {"--set", "problem=cvrp"},
      {"--set", "problem=cvrp", "--set", "preset=best"},
      {"--set", "model.backbone=transformer"},
      {"--set", "model.decoder=am"}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string out = "run" + std::to_string(i);
    EXPECT_EQ(run("sft", out, cases[i]), 0) << error();
    EXPECT_EQ(run("improve", out, cases[i]), 0) << error();
  }
}

// Batch norms with their statistics, a baseline that is challenged, samples that are spread.
TEST_F(EcoTrain, AttentionModelAndPomoTrainAndResumeToTheSameBits) {
  config({"checkpoint.steps = 1", "improve.samples = 4", "improve.instances = 8",
          "improve.reference_every = 2", "improve.challenge = 20", "improve.rate = 1e-2"});
  for (const std::string preset : {"am", "pomo"}) {
    for (const std::string problem : {"tsp", "cvrp"}) {
      const std::string out = preset + problem;
      const std::vector<std::string> more = {"--set", "preset=" + preset, "--set",
                                             "problem=" + problem};
      ASSERT_EQ(run("improve", out, more), 0) << error();
      run_with_kills("improve", out + "-killed", more, 23);
      EXPECT_FALSE(last(out, "improve").empty());
      EXPECT_EQ(last(out, "improve"), last(out + "-killed", "improve")) << out;
      std::size_t challenges = 0;
      for (const auto& line : lines_of(folder_ / out / "improve/metrics.jsonl")) {
        if (line["kind"] != "train") continue;
        EXPECT_TRUE(std::isfinite(line["loss"].get<double>()));
        if (line.contains("challenge_p")) ++challenges;
      }
      EXPECT_EQ(challenges > 0, preset == "am");
    }
  }
}

// Stretches of labels; and the second stage over whole solutions.
TEST_F(EcoTrain, LehdTrainsAndResumesToTheSameBits) {
  config({"preset = lehd", "model.decoder_layers = 2", "sft.steps = 30", "sft.along = 3",
          "sft.rate = 3e-3", "improve.iterations = 2"});
  for (const std::string problem : {"tsp", "cvrp", "path"}) {
    const std::vector<std::string> more = {"--set", "problem=" + problem};
    ASSERT_EQ(run("sft", problem, more), 0) << error();
    run_with_kills("sft", problem + "-killed", more, 23);
    EXPECT_FALSE(last(problem, "sft").empty());
    EXPECT_EQ(last(problem, "sft"), last(problem + "-killed", "sft")) << problem;
    ASSERT_EQ(run("sft", problem + "-threads", {"--threads", "3", "--set", "problem=" + problem}),
              0);
    EXPECT_TRUE(last(problem, "sft") == last(problem + "-threads", "sft")) << problem;
    std::vector<double> gaps;
    for (const auto& line : lines_of(folder_ / problem / "sft/metrics.jsonl")) {
      if (line["kind"] == "validation") gaps.push_back(line["mean_gap"].get<double>());
    }
    EXPECT_LT(gaps.back(), gaps.front()) << problem;
    EXPECT_EQ(run("improve", problem, more), 0) << error();
  }
  EXPECT_EQ(run("sft", "wrong", {"--set", "model.norm=batch"}), 2);
  EXPECT_NE(error().find("am or pomo"), std::string::npos) << error();
}

// The recipe of the documentation: DPO must lower the greedy gap that SFT left.
TEST_F(EcoTrain, SmokeRecipeImprovesInBothStages) {
  fs::copy_file(eco::source_path("recipes/smoke.conf"), folder_ / "tiny.conf",
                fs::copy_options::overwrite_existing);
  for (const std::string stage : {"sft", "improve"}) {
    ASSERT_EQ(run(stage, "run"), 0) << error();
    std::vector<double> gaps;
    for (const auto& line : lines_of(folder_ / "run" / stage / "metrics.jsonl")) {
      if (line["kind"] == "validation") gaps.push_back(line["mean_gap"].get<double>());
    }
    ASSERT_GE(gaps.size(), 2U);
    RecordProperty(stage, std::to_string(gaps.front()) + " to " + std::to_string(gaps.back()));
    EXPECT_LT(gaps.back(), gaps.front()) << stage;
  }
}

TEST_F(EcoTrain, BadInputIsNamed) {
  EXPECT_EQ(run("sft", "a", {"--set", "sft.stpes=3"}), 2);
  EXPECT_NE(error().find("sft.steps"), std::string::npos) << error();

  ASSERT_EQ(run("sft", "run"), 0) << error();
  EXPECT_EQ(run("sft", "run"), 2);
  EXPECT_NE(error().find("--resume"), std::string::npos) << error();
  EXPECT_EQ(run("sft", "run", {"--resume", "--set", "model.dim=24"}), 3);
  EXPECT_NE(error().find("another model"), std::string::npos) << error();

  for (const auto& entry : fs::directory_iterator(folder_ / "run/sft")) {
    if (entry.path().extension() == ".state") {
      fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    }
  }
  EXPECT_EQ(run("sft", "run", {"--resume"}), 3);
  EXPECT_NE(error().find("truncated"), std::string::npos) << error();
}

TEST_F(EcoTrain, ANotFiniteLossStopsAndKeepsTheCheckpoint) {
  config({"sft.rate = 1e38", "sft.clip = 0", "sft.warmup = 0", "checkpoint.steps = 1"});
  EXPECT_EQ(run("sft", "run"), 4) << error();
  EXPECT_NE(error().find("step "), std::string::npos) << error();
  EXPECT_NE(error().find("seed 1"), std::string::npos) << error();
  EXPECT_GE(count_saved("run", "sft"), 1U);
}

}  // namespace
