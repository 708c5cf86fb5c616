// The folder of a run: who may write to it, what a start that fails leaves, what a resumed run may
// change.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "io/weights.h"
#include "paths.h"
#include "train/loop/eco_train.h"

namespace {

class EcoTrainRuns : public EcoTrain {
 protected:
  [[nodiscard]] std::vector<nlohmann::json> metrics(const std::string& out, const std::string& kind,
                                                    const std::string& stage = "sft") const {
    std::vector<nlohmann::json> lines;
    for (auto& line : lines_of(folder_ / out / stage / "metrics.jsonl")) {
      if (line["kind"] == kind) lines.push_back(std::move(line));
    }
    return lines;
  }
  // Labelled instances in the line format, as eco makes them; `options` go to eco generate.
  std::string labelled(const std::string& name, const std::string& problem,
                       const std::string& options) {
    const std::string eco = eco::program_path("eco") + " ", raw = (folder_ / "raw.txt").string(),
                      file = (folder_ / name).string();
    const std::string command = eco + "generate " + problem + " " + options + " --out " + raw +
                                " --quiet && " + eco + "label " + raw +
                                " --iterations 50 --restart --quiet --out " + file;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT
    return file;
  }
  // Tours of 10 nodes on a circle. `stride` 1 goes around; 3 goes to and fro, which is far longer.
  std::string circles(const std::string& name, std::size_t stride) {
    std::ofstream file(folder_ / name);
    for (int i = 0; i < 4; ++i) {
      for (int node = 0; node < 10; ++node) {
        const double angle = 0.62831853 * node + i;
        file << 0.5 + 0.4 * std::cos(angle) << ' ' << 0.5 + 0.4 * std::sin(angle) << ' ';
      }
      file << "output";
      for (std::size_t step = 0; step <= 10; ++step) file << ' ' << 1 + step * stride % 10;
      file << '\n';
    }
    return (folder_ / name).string();
  }
  [[nodiscard]] double best_gap_of_weights(const std::string& out) const {
    eco::io::Metadata notes;
    (void)eco::io::load_weights((folder_ / out / "sft/best.safetensors").string(), &notes);
    return std::stod(notes.at("eco.best_gap"));
  }
  bool says(const std::string& text) { return error().find(text) != std::string::npos; }
};

TEST_F(EcoTrainRuns, AFolderTakesOneProcessAtATimeAndIsFreeWhenThatDies) {
  config({"sft.steps = 1000000"});
  const std::vector<std::string> arguments = {"sft", "--out", (folder_ / "run").string()};
  const pid_t first = start(arguments);
  wait_for_lines("run", "sft", 3);
  for (const bool resume : {false, true}) {
    EXPECT_EQ(run("sft", "run",
                  resume ? std::vector<std::string>{"--resume"} : std::vector<std::string>{}),
              2);
  }
  EXPECT_TRUE(says("in use by process " + std::to_string(first) + ":")) << error();
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  const auto before = metrics("run", "train").back()["step"].get<std::size_t>();
  ASSERT_EQ(run("sft", "run", {"--resume", "--set", "sft.steps=" + std::to_string(before + 50)}), 0)
      << error();
  // One process wrote them: the steps only rise.
  const auto lines = metrics("run", "train");
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_LT(lines[i - 1]["step"], lines[i]["step"]);
}

TEST_F(EcoTrainRuns, TwoStartsAtOnceAreOneRun) {
  config({"sft.steps = 700", "log_every = 1", "validate.effort = 30000"});
  const std::vector<std::string> arguments = {"sft", "--out", (folder_ / "run").string()};
  const pid_t one = start(arguments), two = start(arguments);
  const std::vector<int> codes = {wait(one), wait(two)};
  EXPECT_EQ(*std::min_element(codes.begin(), codes.end()), 0);
  EXPECT_EQ(*std::max_element(codes.begin(), codes.end()), 2);
  EXPECT_EQ(metrics("run", "train").size(), 700U);
}

TEST_F(EcoTrainRuns, TheBestBelongsToTheHeldOutSetItWasMeasuredOn) {
  // References that anything beats, under a name that later stands for good ones.
  config({"sft.steps = 4", "sft.validate_every = 2", "sft.rate = 3e-3", "sft.schedule = constant",
          "validate.files = " + circles("held.txt", 3)});
  ASSERT_EQ(run("sft", "run"), 0) << error();
  const double too_good = metrics("run", "validation").back()["best_gap"];
  EXPECT_LT(too_good, 0);
  const std::string weights = read(folder_ / "run/sft/best.safetensors");

  (void)circles("held.txt", 1);
  ASSERT_EQ(run("sft", "run", {"--resume", "--set", "sft.steps=100"}), 0) << error();
  const auto resumed = metrics("run", "resume");
  ASSERT_EQ(resumed.size(), 1U);
  double best = resumed[0]["best_gap"];  // of the old best weights, on the new set
  EXPECT_GE(best, 0);
  for (const auto& line : metrics("run", "validation")) {
    if (line["step"].get<std::size_t>() <= 4) continue;
    best = std::min(best, line["mean_gap"].get<double>());
    EXPECT_EQ(line["best_gap"].get<double>(), best);
  }
  EXPECT_EQ(best_gap_of_weights("run"), best);
  EXPECT_NE(read(folder_ / "run/sft/best.safetensors"), weights);
}

TEST_F(EcoTrainRuns, MinutesDoNotCountTheLabellingOfTheHeldOutSet) {
  // A second of training; labels that take longer.
  config({"sft.minutes = 0.016", "validate.effort = 300000", "validate.count = 3"});
  ASSERT_EQ(run("sft", "run"), 0) << error();
  // It trained, and judged what it came to.
  EXPECT_GT(metrics("run", "validation").back()["step"].get<std::size_t>(), 0U);
}

TEST_F(EcoTrainRuns, AnInterruptedLabellingEndsAtOnceAndBlocksNothing) {
  config({"validate.effort = 1000000000000"});  // days
  const pid_t child = start({"sft", "--out", (folder_ / "run").string()});
  // It is at it once its file is there.
  while (!fs::exists(folder_ / "run") ||
         std::distance(fs::directory_iterator(folder_ / "run"), {}) < 3) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, SIGINT);
  EXPECT_EQ(wait(child), 130);
  EXPECT_TRUE(says("held-out")) << error();
  config({});
  EXPECT_EQ(run("sft", "run"), 0) << error();
}

TEST_F(EcoTrainRuns, LabellingShowsProgress) {
  const std::string command = eco::program_path("eco-train") + " sft --config " +
                              (folder_ / "tiny.conf").string() + " --out " +
                              (folder_ / "run").string() + " 2> " + (folder_ / "stderr").string();
  ASSERT_EQ(std::system(command.c_str()), 0) << error();  // NOLINT
  EXPECT_TRUE(says("labelling the held-out set")) << error();
}

TEST_F(EcoTrainRuns, HeldOutLabelsAreKeptBesideTheCacheForEveryRun) {
  config({"data.cache = " + (folder_ / "labels.bin").string()});
  const auto held_out_files = [&] {
    std::map<std::string, std::uintmax_t> files;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("labels.bin.held-out")) files[name] = entry.file_size();
    }
    return files;
  };
  ASSERT_EQ(run("sft", "one"), 0) << error();
  const auto files = held_out_files();
  EXPECT_EQ(files.size(), 2U);  // two sizes
  ASSERT_EQ(run("sft", "two"), 0) << error();
  EXPECT_EQ(held_out_files(), files);
  ASSERT_EQ(run("sft", "three", {"--set", "validate.effort=30"}), 0) << error();
  EXPECT_EQ(held_out_files().size(), 4U);
}

TEST_F(EcoTrainRuns, ResumeTellsWhatChangedAndRefusesWhatDefinesTheRun) {
  ASSERT_EQ(run("sft", "run"), 0) << error();
  const std::string config_before = read(folder_ / "run/sft/config.conf");
  for (const std::string change : {"seed=5", "data.seed=6", "data.effort=30", "sft.optimizer=adamw",
                                   "sft.beta1=0.8", "data.sizes=10", "average=0.9"}) {
    EXPECT_EQ(run("sft", "run", {"--resume", "--set", change}), 2) << change;
    EXPECT_TRUE(says(change.substr(0, change.find('=')) + " (was")) << error();
  }
  EXPECT_EQ(read(folder_ / "run/sft/config.conf"), config_before);

  ASSERT_EQ(run("sft", "run",
                {"--resume", "--threads", "2", "--set", "sft.steps=80", "--set", "sft.rate=1e-3",
                 "--set", "improve.beta=0.9"}),
            0)
      << error();
  EXPECT_TRUE(says("sft.rate = 0.001 (was 5e-04), which changes what is learned")) << error();
  EXPECT_TRUE(says("threads = 2 (was 0)\n")) << error();
  EXPECT_FALSE(says("improve.beta")) << error();
  const auto lines = metrics("run", "resume");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["step"], 60);
  EXPECT_EQ(lines[0]["changed"]["sft.steps"]["from"], "60");
  EXPECT_EQ(lines[0]["changed"]["sft.steps"]["to"], "80");
  EXPECT_EQ(lines[0]["changed"].size(), 3U);
}

TEST_F(EcoTrainRuns, AResumeWithoutChangeSaysNothing) {
  ASSERT_EQ(run("sft", "run"), 0) << error();
  ASSERT_EQ(run("sft", "run", {"--resume"}), 0) << error();
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(metrics("run", "resume").empty());
}

TEST_F(EcoTrainRuns, ResumeKnowsItsDataByContentAndNotByName) {
  const std::string file = labelled("a.txt", "tsp", "--nodes 10 --count 20 --seed 1");
  config({"data.files = " + file, "data.sizes = 10"});
  ASSERT_EQ(run("sft", "run"), 0) << error();
  fs::copy_file(file, folder_ / "b.txt");
  const std::string moved = "data.files=" + (folder_ / "b.txt").string();
  EXPECT_EQ(run("sft", "run", {"--resume", "--set", moved, "--set", "sft.steps=70"}), 0) << error();
  (void)labelled("a.txt", "tsp", "--nodes 10 --count 20 --seed 2");
  for (const std::string stage : {"sft", "improve"}) {
    if (stage == "improve") {
      ASSERT_EQ(run(stage, "run", {"--set", moved}), 0) << error();
    }
    EXPECT_EQ(run(stage, "run", {"--resume"}), 3);
    EXPECT_TRUE(says("training data is not that of the checkpoint")) << error();
  }
}

TEST_F(EcoTrainRuns, ResumeOfNothingSaysThatItStartsAfresh) {
  EXPECT_EQ(run("sft", "run", {"--resume"}), 0) << error();
  EXPECT_TRUE(says("starts afresh")) << error();
  EXPECT_EQ(count_saved("run", "sft"), 2U);
}

TEST_F(EcoTrainRuns, AStartThatCannotWorkLeavesNoTrace) {
  const std::string tsp = labelled("tsp.txt", "tsp", "--nodes 50 --count 2"),
                    cvrp = labelled("cvrp.txt", "cvrp", "--nodes 10 --count 2");
  struct Start {
    std::string stage, set, message;
  };
  const std::vector<Start> starts = {
      {"sft", "data.files=" + cvrp, "is a cvrp, expected a tsp"},
      {"improve", "data.files=" + cvrp, "is a cvrp, expected a tsp"},
      {"sft", "validate.files=" + cvrp, "is a cvrp, expected a tsp"},
      {"sft", "validate.files=nowhere.txt", "nowhere.txt"},
      {"sft", "data.files=" + tsp, "data.sizes has 10"},
      {"improve", "data.files=" + tsp, "data.sizes has 10"},
      {"sft", "sft.init=nowhere.safetensors", "nowhere.safetensors"},
      {"improve", "improve.init=sft", "sft/best.safetensors"},
      {"sft", "improve.operators=2opp", "did you mean '2opt'"},
      {"improve", "improve.operators=relocate", "no operator 'relocate'"},
      {"sft", "data.capacity=50", "belong to the CVRP"},
      {"sft", "data.cache=" + tsp, "labels of another kind"},
      {"sft", "data.cache=/nonexistent/labels", "cannot open"},
  };
  for (const Start& bad : starts) {
    std::vector<std::string> more = {"--set", bad.set};
    if (bad.set != "improve.init=sft") more.insert(more.end(), {"--set", "improve.init=none"});
    EXPECT_NE(run(bad.stage, "run", more), 0) << bad.set;
    EXPECT_TRUE(says(bad.message)) << bad.set << ": " << error();
    EXPECT_FALSE(fs::exists(folder_ / "run")) << bad.set;
  }
}

TEST_F(EcoTrainRuns, FilesAreJudgedOnTheirOwnSizes) {
  config({});
  const std::string file = labelled("fifty.txt", "tsp", "--nodes 30 --count 4");
  ASSERT_EQ(run("sft", "run", {"--set", "data.files=" + file, "--set", "data.sizes="}), 0)
      << error();
  const auto gaps = metrics("run", "validation").back()["gap"];
  EXPECT_EQ(gaps.size(), 1U);
  EXPECT_TRUE(gaps.contains("tsp30")) << gaps;
}

TEST_F(EcoTrainRuns, OutputThatCannotBeWrittenIsNoSuccess) {
  const std::string command =
      eco::program_path("eco-train") + " --help-config > /dev/full 2> /dev/null";
  const int status = std::system(command.c_str());  // NOLINT
  EXPECT_EQ(WEXITSTATUS(status), 4);
}

// In processor time, so that it is the same on a busy machine; validated by that clock, too.
TEST_F(EcoTrainRuns, MinutesCanBeThoseOfTheProcessor) {
  config({"clock = cpu", "sft.minutes = 0.01", "validate.minutes = 0.002"});
  ASSERT_EQ(run("sft", "run"), 0) << error();
  std::vector<double> seconds;
  for (const auto& line : lines_of(folder_ / "run/sft/metrics.jsonl")) {
    if (line["kind"] == "validation") seconds.push_back(line["seconds"].get<double>());
  }
  ASSERT_GE(seconds.size(), 3U);  // sft.validate_every alone would give two
  EXPECT_GE(seconds.back(), 0.6);
  for (std::size_t i = 1; i + 1 < seconds.size(); ++i) {
    EXPECT_GE(seconds[i] - seconds[i - 1], 0.12);
  }
}

}  // namespace
