#include "train/loop/sft.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "train/config/values.h"
#include "train/data/label_store.h"
#include "train/data/sft_sampler.h"
#include "train/loop/interrupt.h"
#include "train/loop/likelihood.h"
#include "train/loop/merge_stage.h"
#include "train/loop/store_position.h"

namespace eco::train {

namespace {

// Sums since the last line of metrics.
struct Interval {
  std::size_t steps = 0, tokens = 0, examples = 0;
  double loss = 0, norm = 0, begin = 0;
};

class SftStage {
 public:
  SftStage(const TrainConfig& config, const RunOptions& options)
      : config_(config),
        store_(config.problem, config.data),
        sampler_(config, store_),
        trainer_(config, config.sft.optimizer, "sft", config.sft.init,
                 training_data(config, &store_), options) {
    if (!trainer_.resumed()) return;
    const TrainState& state = *trainer_.resumed();
    step_ = state.number("step");
    instances_ = state.number("instances");
    store_.restore(read_positions(state));
  }

  bool run() {
    if (step_ == 0) validate();
    interval_.begin = trainer_.seconds();
    bool over = finished();
    while (!over) {
      if (interrupted()) {
        save();
        return false;
      }
      step();
      over = finished();  // asked once: by the clock, a second answer may be another
      if (step_ % config_.log_every == 0) log();
      if (step_ % config_.sft.validate_every == 0 || over) validate();
      if (trainer_.checkpoint_due(step_)) save();
    }
    save();
    return true;
  }

 private:
  [[nodiscard]] double progress() const {
    const double by_steps = static_cast<double>(step_) /
                            static_cast<double>(std::max<std::size_t>(config_.sft.steps, 1));
    const double by_clock = trainer_.seconds() / (60 * config_.sft.minutes);
    return std::min(1.0, config_.sft.minutes > 0 ? by_clock : by_steps);
  }
  [[nodiscard]] bool finished() const { return progress() >= 1; }

  void step() {
    const double done = progress();
    const SftExamples examples =
        trainer_.watch().time("data", [&] { return sampler_.draw(step_, done); });
    const double loss = trainer_.watch().time("gradient", [&] {
      return nll_gradient(examples, config_.model, trainer_.parts(), trainer_.workers(),
                          trainer_.pool());
    });
    const double norm = trainer_.watch().time(
        "update", [&] { return trainer_.update(loss, done, "step " + std::to_string(step_)); });
    ++step_;
    instances_ += examples.size();
    ++interval_.steps;
    interval_.tokens += examples.tokens;
    interval_.examples += examples.size();
    interval_.loss += loss;
    interval_.norm += norm;
    trainer_.progress().show("sft " + std::to_string(step_) + "  loss " + fixed(loss), progress(),
                             trainer_.seconds());
  }

  void log() {
    const double now = trainer_.seconds();
    const double seconds = now - interval_.begin;
    const auto steps = static_cast<double>(interval_.steps);
    nlohmann::ordered_json line = {
        {"step", step_},
        {"kind", "train"},
        {"seconds", now},
        {"instances", instances_},
        {"loss", interval_.loss / steps},
        {"gradient_norm", interval_.norm / steps},
        {"rate", learning_rate(config_.sft.optimizer, trainer_.updates(), progress())},
        {"tokens_per_second", static_cast<double>(interval_.tokens) / seconds},
        {"examples_per_second", static_cast<double>(interval_.examples) / seconds},
        {"labels_made", store_.labels_made()},
        {"seconds_by_part", trainer_.watch().take()}};
    trainer_.log(line);
    interval_ = {};
    interval_.begin = now;
  }

  void validate() { trainer_.validate(step_, {{"instances", instances_}}); }

  void save() {
    TrainState state;
    state.fields["instances"] = std::to_string(instances_);
    write_positions(store_.position(), state);
    trainer_.checkpoint(step_, std::move(state));
  }

  static std::string fixed(double value) {
    char text[32];
    (void)std::snprintf(text, sizeof text, "%.4f", value);
    return text;
  }

  const TrainConfig& config_;
  LabelStore store_;  // before the trainer: data that cannot be used leaves no trace
  SftSampler sampler_;
  Trainer trainer_;
  std::uint64_t step_ = 0;
  std::uint64_t instances_ = 0;
  Interval interval_;
};

}  // namespace

bool run_sft(const TrainConfig& config, const RunOptions& options) {
  if (config.model.constructor == Constructor::merging) {
    return run_merge_stage(config, "sft", options);
  }
  return SftStage(config, options).run();
}

}  // namespace eco::train
