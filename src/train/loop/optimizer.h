#pragma once
// Adam and AdamW over one flat array of parameters, and the learning rate over a run. The state is
// plain data, so that a checkpoint holds it exactly.

#include <cstdint>
#include <span>
#include <vector>

#include "train/config/train_config.h"

namespace eco::train {

class Optimizer {
 public:
  // decays[i]: weight decay applies to parameter i (matrices only).
  Optimizer(const OptimizerConfig& config, std::vector<std::uint8_t> decays);

  // One update at this learning rate. Both [parameters].
  void update(std::span<float> values, std::span<const float> gradient, double rate);

  // What a checkpoint keeps.
  struct State {
    std::uint64_t steps = 0;
    std::vector<float> first, second;  // moments, [parameters]
  };
  [[nodiscard]] const State& state() const { return state_; }
  void restore(State state);

 private:
  OptimizerConfig config_;
  std::vector<std::uint8_t> decays_;
  State state_;
};

// The rate for update `step` (from 0) when `progress` in [0, 1] of the run is done.
[[nodiscard]] double learning_rate(const OptimizerConfig& config, std::uint64_t step,
                                   double progress);

// Scales the gradient down to norm `clip` (0: never) and returns the norm it had. The sum runs in
// double precision in index order: the same bits everywhere.
double clip_gradient(std::span<float> gradient, double clip);

}  // namespace eco::train
