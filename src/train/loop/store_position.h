#pragma once
// Where the draws of labels stand, as part of a checkpoint.

#include <vector>

#include "train/data/label_store.h"
#include "train/loop/state_file.h"

namespace eco::train {

void write_positions(const std::vector<PoolPosition>& positions, TrainState& state);
[[nodiscard]] std::vector<PoolPosition> read_positions(const TrainState& state);

}  // namespace eco::train
