#pragma once
// Stage one: imitate expert solutions (maximum likelihood of every choice).

#include "train/config/train_config.h"
#include "train/loop/trainer.h"

namespace eco::train {

// Runs to the end of the config's steps or minutes. Returns false if a signal ended it (after a
// checkpoint).
bool run_sft(const TrainConfig& config, const RunOptions& options);

}  // namespace eco::train
