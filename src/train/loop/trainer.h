#pragma once
// What both stages share: the policy with its optimiser, the run's folder, metrics, validation and
// checkpoints. A stage draws data, asks for gradients and calls update(); everything that has to
// survive a kill is in here or goes into the state that the stage adds.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/base/thread_pool.h"
#include "train/config/resume.h"
#include "train/config/train_config.h"
#include "train/data/held_out.h"
#include "train/data/instance_source.h"
#include "train/loop/metrics.h"
#include "train/loop/optimizer.h"
#include "train/loop/run_folder.h"
#include "train/loop/stopwatch.h"
#include "train/nn/gradient.h"
#include "train/nn/policy.h"

namespace eco::train {

struct RunOptions {
  std::string out;
  bool resume = false;
  bool quiet = false;
};

// One stage of a run.
struct StagePlan {
  std::string name;  // of its folder
  std::string init;  // weights to start from; empty: fresh ones
  const OptimizerConfig* optimizer = nullptr;
  std::size_t tokens = 0;               // of a minibatch
  std::size_t updates = 0, rounds = 0;  // length in one of the two, where not by the clock
  double minutes = 0;                   // length by the clock; 0: not
  std::size_t epochs = 1;               // passes over what a round learns from
  std::size_t log_every = 1, validate_every = 1;  // rounds
};

class Trainer {
 public:
  // `data`: what the stage will train on. Everything that can fail by what the user gave fails
  // before the folder is written to.
  Trainer(const TrainConfig& config, const StagePlan& plan, const TrainingData& data,
          const RunOptions& options);
  ~Trainer();

  [[nodiscard]] Policy& policy() { return policy_; }
  [[nodiscard]] GradientWorkers& workers() { return workers_; }
  [[nodiscard]] ThreadPool& pool() { return pool_; }
  [[nodiscard]] TrainingProgress& progress() { return progress_; }
  [[nodiscard]] Stopwatch& watch() { return watch_; }
  [[nodiscard]] std::size_t parts() const { return parts_; }

  // The checkpoint that a resumed run starts from, already applied to the policy and the optimiser;
  // nothing in a fresh run. The stage reads back what it added.
  [[nodiscard]] const std::optional<TrainState>& resumed() const { return resumed_; }
  [[nodiscard]] std::uint64_t updates() const { return optimizer_.state().steps; }
  // Of the whole run, earlier processes included. Labelling the held-out set and judging the
  // initial weights come before the first second.
  [[nodiscard]] double seconds() const;

  // One update from the gradient of the last workers().run(). Returns the gradient norm. A loss or
  // norm that is not finite ends the run with an eco::Error that says `where`; the checkpoints
  // stay.
  double update(double loss, double progress, const std::string& where);

  // To take back the updates of a round that was not finished.
  struct Moment {
    std::vector<float> weights, average;
    Optimizer::State optimizer;
  };
  [[nodiscard]] Moment moment();
  void go_back_to(const Moment& moment);

  // Greedy gaps on the held-out sets; keeps best.safetensors if their mean is the lowest so far.
  // Writes a line of metrics.
  void validate(std::uint64_t step, const nlohmann::ordered_json& extra);

  void log(const nlohmann::ordered_json& line) { metrics_->write(line); }

  // Whether a checkpoint is due by the clock or by the count of steps.
  [[nodiscard]] bool checkpoint_due(std::uint64_t step) const;
  void checkpoint(std::uint64_t step, TrainState extra);

 private:
  void restore(const TrainState& state);
  void label_held_out(const std::vector<std::size_t>& sizes, const RunOptions& options);
  void tell_what_changed();
  // Mean greedy gap over the held-out sets; `gaps` gets every one.
  [[nodiscard]] double judge(Weights weights, nlohmann::ordered_json& gaps);
  void write_weights(const std::string& path);
  [[nodiscard]] Weights shown_weights();  // that are validated and saved

  const TrainConfig& config_;
  OptimizerConfig optimizer_config_;
  std::string stage_;
  ThreadPool pool_;
  std::size_t parts_;
  RunFolder folder_;
  Policy policy_;
  GradientWorkers workers_;
  Optimizer optimizer_;
  std::vector<float> average_;  // running mean of the weights; empty if none is kept
  TrainingProgress progress_;
  Stopwatch watch_;
  std::vector<HeldOutSet> held_out_;
  std::string data_content_;           // TrainingData::content
  std::string judged_by_;              // the held-out set of the gaps
  std::vector<ConfigChange> changes_;  // since the checkpoint
  std::unique_ptr<MetricsLog> metrics_;
  std::optional<TrainState> resumed_;
  double best_gap_;
  double seconds_before_ = 0;  // spent by earlier processes of this run
  double last_checkpoint_ = 0;
};

}  // namespace eco::train
