#pragma once
// Everything a training run is told. One visitor (train_config.cpp) lists every key with its
// meaning; parsing, the help text and the dump that a run leaves behind all come from that list.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/instance/generate.h"
#include "core/model/config.h"
#include "train/config/config_file.h"
#include "train/ops/choice.h"

namespace eco::train {

enum class Preset : std::uint8_t { paper, best, am, pomo, lehd };
enum class Schedule : std::uint8_t { constant, cosine };
enum class OptimizerKind : std::uint8_t { adam, adamw };
enum class PairRule : std::uint8_t { best_worst, random, best_random, best_anchored, all_pairs };
// What the minutes of a stage are counted in.
enum class RunClock : std::uint8_t { wall, cpu };
// How labels are drawn: each anew from all, or all of them once before any comes again.
enum class LabelDraw : std::uint8_t { replacement, epochs };

// One size of a mixed run: `100:2@0.5` draws N = 100 with weight 2 from half of the run on.
struct SizeShare {
  std::size_t nodes = 100;
  double weight = 1;
  double from = 0;  // share of the run after which this size takes part
  friend bool operator==(const SizeShare&, const SizeShare&) = default;
};

struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::adamw;
  double rate = 1e-3;
  double weight_decay = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double clip = 1.0;  // largest gradient norm; 0: off
  std::size_t warmup = 0;
  Schedule schedule = Schedule::cosine;
  double final_share = 0.01;  // of the rate, where the cosine ends
};

struct DistributionShare {
  Distribution distribution = Distribution::uniform;
  double weight = 1;
};

struct DataConfig {
  std::vector<SizeShare> sizes = std::vector<SizeShare>(1);  // empty only with files: all of theirs
  std::vector<std::string> files;
  std::vector<DistributionShare> distribution = std::vector<DistributionShare>(1);
  std::size_t count = 100000;
  double reuse = 4;
  LabelDraw draw = LabelDraw::replacement;
  std::string cache;
  std::size_t label_threads = 1;
  std::uint64_t effort = 0;
  std::int64_t capacity = 0;
  double shortest_route = 3;
  double longest_route = 0;
  std::uint64_t seed = 1234;
};

struct SftConfig {
  std::string init;
  std::size_t steps = 10000;
  double minutes = 0;
  std::size_t tokens = 6400;
  bool symmetries = true;
  std::size_t along = 0;
  std::size_t validate_every = 500;
  OptimizerConfig optimizer;
};

// Merging: which states are learned from, and what they learn.
struct ImitateConfig {
  double free = 0.8;
  double effort = 0.5;
  double late = 0.6;
  double expert = 0.7;
  std::size_t nodes = 20000;
};

struct ImproveConfig {
  std::string init = "sft";
  std::string objective = "dpo";  // of the table in objective/registry.cpp
  std::size_t iterations = 100;
  double minutes = 0;
  std::size_t instances = 64;
  std::size_t samples = 32;
  double temperature = 1;
  PairRule rule = PairRule::best_worst;
  double alpha = 0.3;
  std::vector<std::string> operators;
  double beta = 0.3;
  double margin = 1;
  bool length_normalised = false;
  double nll = 0;
  std::size_t reference_every = 10;
  std::size_t challenge = 1000;
  std::size_t epochs = 1;
  std::size_t tokens = 6400;
  double clip_ratio = 0.2;
  double sharpness = 200;
  double local = 0.5;
  std::size_t validate_every = 20;
  OptimizerConfig optimizer;
};

struct ValidateConfig {
  std::size_t count = 100;
  double minutes = 0;
  std::vector<SizeShare> sizes;
  std::vector<std::string> files;
  std::uint64_t effort = 0;
  std::uint64_t seed = 987654321;
};

struct CheckpointConfig {
  double minutes = 5;
  std::size_t steps = 0;
  std::size_t keep = 2;
};

struct TrainConfig {
  ProblemKind problem = kProblems.front();
  Preset preset = Preset::paper;
  ModelConfig model;
  std::uint64_t seed = 1;
  RunClock clock = RunClock::wall;
  std::size_t threads = 0;
  std::size_t parts = 0;
  Ops ops = Ops::fused;
  double average = 0;
  std::size_t log_every = 20;
  DataConfig data;
  SftConfig sft;
  ImitateConfig imitate;
  ImproveConfig improve;
  ValidateConfig validate;
  CheckpointConfig checkpoint;
};

// Defaults of the preset, then the entries in order. Throws eco::Error naming file, line and, for a
// misspelt key, the nearest known one.
[[nodiscard]] TrainConfig make_train_config(const std::vector<ConfigEntry>& entries);

// Every key with its value as text, in no particular order.
[[nodiscard]] std::map<std::string, std::string> to_fields(const TrainConfig& config);

// Every key with its value, readable by read_config_file: what a run leaves in its folder.
[[nodiscard]] std::string dump_train_config(const TrainConfig& config);

// Every key with its default and meaning.
[[nodiscard]] std::string describe_train_config();

}  // namespace eco::train
