#pragma once
// What a config must satisfy beyond the type of each value: ranges, keys that need one another,
// names that exist. Everything that can be known without reading a file, so that a run which cannot
// work is refused before it writes anything.

#include <vector>

#include "train/config/train_config.h"

namespace eco::train {

// Throws eco::Error naming the key and the last of the entries that set it, if one did.
void require_sane(const TrainConfig& config, const std::vector<ConfigEntry>& entries);

}  // namespace eco::train
