// The real binary, end to end, on tiny models.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/base/rng.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<nlohmann::json> lines_of(const fs::path& path) {
  std::vector<nlohmann::json> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

class EcoTrain : public testing::Test {
 protected:
  void SetUp() override { config({}); }

  void config(const std::vector<std::string>& more) {
    std::ofstream file(folder_ / "tiny.conf");
    file << "model.dim = 16\nmodel.encoder_layers = 1\nmodel.decoder_layers = 1\nmodel.heads = 2\n"
            "model.candidate_dim = 16\nmodel.candidate_heads = 2\n"
            "data.sizes = 10, 12\ndata.effort = 20\ndata.count = 64\n"
            "sft.steps = 60\nsft.tokens = 120\nsft.schedule = cosine\n"
            "dpo.iterations = 6\ndpo.instances = 4\ndpo.samples = 4\ndpo.tokens = 400\n"
            "dpo.reference_every = 2\nlog_every = 10\n"
            "sft.validate_every = 1000\nvalidate.count = 4\nvalidate.effort = 20\n"
            "checkpoint.steps = 7\n";
    for (const std::string& line : more) file << line << "\n";
  }

  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const {
    const std::string program = std::string(ECO_BIN_DIR) + "/eco-train";
    std::vector<std::string> all = {program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    for (const std::string& text :
         {std::string("--config"), (folder_ / "tiny.conf").string(), std::string("--quiet")}) {
      all.push_back(text);
    }
    std::vector<char*> argv;
    for (std::string& text : all) argv.push_back(text.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen((folder_ / "stderr").c_str(), "w", stderr) == nullptr) _exit(99);
      execv(program.c_str(), argv.data());
      _exit(98);
    }
    return child;
  }
  static int wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int run(const std::string& stage, const std::string& out,
          const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {stage, "--out", (folder_ / out).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return wait(start(arguments));
  }
  // Starts, kills with SIGKILL at random points, resumes until it is done.
  void run_with_kills(const std::string& stage, const std::string& out,
                      std::vector<std::string> more, std::uint64_t seed) {
    eco::Rng rng(seed);
    std::vector<std::string> arguments = {stage, "--out", (folder_ / out).string(), "--resume"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (int kills = 0; kills < 3; ++kills) {
      const std::size_t wanted = 1 + rng.below(2);
      const pid_t child = start(arguments);
      // Let it write a checkpoint or two, then strike at a random moment after that.
      while (count_saved(out, stage) < wanted && waitpid(child, nullptr, WNOHANG) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(60)));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    ASSERT_EQ(wait(start(arguments)), 0) << read(folder_ / "stderr");
  }
  [[nodiscard]] std::size_t count_saved(const std::string& out, const std::string& stage) const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / out / stage, error)) {
      count += entry.path().extension() == ".state" ? 1 : 0;
    }
    return count;
  }
  [[nodiscard]] std::string last(const std::string& out, const std::string& stage) const {
    return read(folder_ / out / stage / "last.safetensors");
  }
  std::string error() { return read(folder_ / "stderr"); }

  eco::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

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
  std::vector<std::string> more = {"--set", "preset=best", "--set", "dpo.init=none"};
  ASSERT_EQ(run("dpo", "plain", more), 0) << error();
  more.insert(more.end(), {"--set", "average=0.8"});
  ASSERT_EQ(run("dpo", "straight", more), 0) << error();
  EXPECT_NE(last("straight", "dpo"), last("plain", "dpo"));
  run_with_kills("dpo", "killed", more, 23);
  EXPECT_FALSE(last("straight", "dpo").empty());
  EXPECT_EQ(last("straight", "dpo"), last("killed", "dpo"));
}

TEST_F(EcoTrain, TheSameSeedGivesTheSameBytesAndAnotherDoesNot) {
  ASSERT_EQ(run("sft", "a"), 0) << error();
  ASSERT_EQ(run("sft", "b"), 0) << error();
  ASSERT_EQ(run("sft", "c", {"--seed", "5"}), 0) << error();
  EXPECT_EQ(last("a", "sft"), last("b", "sft"));
  EXPECT_NE(last("a", "sft"), last("c", "sft"));
}

TEST_F(EcoTrain, ThreadsChangeNothingThatMatters) {
  ASSERT_EQ(run("sft", "one", {"--threads", "1"}), 0) << error();
  ASSERT_EQ(run("sft", "two", {"--threads", "2"}), 0) << error();
  const auto one = lines_of(folder_ / "one/sft/metrics.jsonl");
  const auto two = lines_of(folder_ / "two/sft/metrics.jsonl");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i]["kind"], two[i]["kind"]);
    if (one[i]["kind"] == "train") {
      EXPECT_NEAR(one[i]["loss"].get<double>(), two[i]["loss"].get<double>(), 1e-3);
    }
  }
}

TEST_F(EcoTrain, SigtermSavesAndResumes) {
  config({"sft.steps = 100000", "checkpoint.steps = 0"});
  const pid_t child = start({"sft", "--out", (folder_ / "run").string()});
  while (lines_of(folder_ / "run/sft/metrics.jsonl").size() < 3) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child, SIGTERM);
  EXPECT_EQ(wait(child), 130);
  EXPECT_EQ(count_saved("run", "sft"), 1U);
}

TEST_F(EcoTrain, CompletionsOfToursAgreeInSizeWhateverThePolicyDoubts) {
  // Large enough for several steps an encoding, and an untrained policy would put off some of them.
  config({"preset = best", "dpo.objective = complete", "dpo.init = none", "data.sizes = 80",
          "model.doubt = 0.85", "dpo.iterations = 1"});
  const std::string out = (folder_ / "run").string();
  EXPECT_EQ(wait(start({"dpo", "--out", out})), 0) << error();
}

TEST_F(EcoTrain, CompletionsResumeToTheSameBits) {
  config({"preset = best", "dpo.objective = complete", "dpo.init = none", "dpo.segments = 3",
          "checkpoint.steps = 1"});
  ASSERT_EQ(run("dpo", "straight"), 0) << error();
  run_with_kills("dpo", "killed", {}, 29);
  EXPECT_FALSE(last("straight", "dpo").empty());
  EXPECT_EQ(last("straight", "dpo"), last("killed", "dpo"));
  EXPECT_EQ(run("dpo", "paper", {"--set", "preset=paper"}), 2);
  EXPECT_EQ(run("dpo", "cvrp", {"--set", "problem=cvrp", "--set", "dpo.experts=2"}), 0) << error();
}

TEST_F(EcoTrain, EveryObjectiveTrains) {
  ASSERT_EQ(run("sft", "run"), 0) << error();
  for (const std::string objective :
       {"dpo", "logistic", "hinge", "imitate", "ppo", "rollout", "multistart"}) {
    const std::string out = objective;
    EXPECT_EQ(run("dpo", out,
                  {"--set", "dpo.objective=" + objective, "--set",
                   "dpo.init=" + (folder_ / "run/sft/best.safetensors").string()}),
              0)
        << error();
    for (const auto& line : lines_of(folder_ / out / "dpo/metrics.jsonl")) {
      if (line["kind"] != "train") continue;
      EXPECT_TRUE(std::isfinite(line["loss"].get<double>())) << objective;
    }
  }
}

TEST_F(EcoTrain, TheFirstDpoLossIsLogTwo) {
  config({"dpo.iterations = 1", "dpo.tokens = 100000"});
  for (const std::string preset : {"paper", "best"}) {
    ASSERT_EQ(run("dpo", preset, {"--set", "dpo.init=none", "--set", "preset=" + preset}), 0)
        << error();
    const auto lines = lines_of(folder_ / preset / "dpo/metrics.jsonl");
    for (const auto& line : lines) {
      if (line["kind"] == "train") {
        EXPECT_NEAR(line["loss"].get<double>(), std::log(2.0), 1e-6);
      }
    }
  }
}

TEST_F(EcoTrain, BothProblemsAndBackbonesTrain) {
  for (const std::string set : {"problem=cvrp", "model.backbone=transformer"}) {
    for (const std::string preset : {"paper", "best"}) {
      const std::string out = set + preset;
      const std::vector<std::string> more = {"--set", set, "--set", "preset=" + preset};
      EXPECT_EQ(run("sft", out, more), 0) << error();
      EXPECT_EQ(run("dpo", out, more), 0) << error();
    }
  }
}

// The recipe of the documentation: DPO must lower the greedy gap that SFT left.
TEST_F(EcoTrain, SmokeRecipeImprovesInBothStages) {
  fs::copy_file(ECO_SOURCE_DIR "/recipes/smoke.conf", folder_ / "tiny.conf",
                fs::copy_options::overwrite_existing);
  for (const std::string stage : {"sft", "dpo"}) {
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
