#pragma once
// A stage of training is rounds: prepare what to learn from, learn, now and then validate and save.
// Stage one imitates expert labels, stage two improves on what the policy itself does; what a round
// does is its objective's (train/objective), how rounds follow each other is the same for all.

#include "train/config/train_config.h"
#include "train/loop/trainer.h"

namespace eco::train {

// Each runs to the end of the config's steps, rounds or minutes. False: a signal ended it, after a
// checkpoint; a round that was under way is done again.
bool run_sft(const TrainConfig& config, const RunOptions& options);
bool run_improve(const TrainConfig& config, const RunOptions& options);

}  // namespace eco::train
