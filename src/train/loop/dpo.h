#pragma once
// Stage two: rounds of generation and update. Each round samples K solutions of fresh instances
// from the current policy with the native engine, turns them into pairs (or advantages), and makes
// a few passes of updates over them. The controls of the paper differ in the objective only.

#include "train/config/train_config.h"
#include "train/loop/trainer.h"

namespace eco::train {

// Runs to the end of the config's iterations or minutes. Returns false if a signal ended it (after
// a checkpoint; a round that was under way is done again).
bool run_dpo(const TrainConfig& config, const RunOptions& options);

}  // namespace eco::train
