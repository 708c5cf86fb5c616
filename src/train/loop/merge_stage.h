#pragma once
// Training a policy that merges: rounds in which the current policy rolls out labelled instances,
// some of the states it comes to are kept with a solution each, and every open node of every such
// state learns its partner. Stage "sft" keeps to right links, stage "dpo" with objective complete
// makes wrong ones too.

#include <string>

#include "train/config/train_config.h"
#include "train/loop/trainer.h"

namespace eco::train {

// False if a signal came before the end.
bool run_merge_stage(const TrainConfig& config, const std::string& stage,
                     const RunOptions& options);

}  // namespace eco::train
