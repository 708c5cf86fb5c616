#pragma once
// What may change when a run is resumed. A run is one experiment: what defines it (seed, data,
// network, objective) stays. What people do change under way is allowed and told: how long it
// takes, the rate, the size of a batch, and everything that has no effect on what is learned.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "train/config/train_config.h"

namespace eco::train {

struct ConfigChange {
  std::string key, from, to;
  bool learning = false;  // what is learned from here on differs
};

// Differences of a config from the fields (to_fields) that a checkpoint of this stage was made
// with. Keys of the other stage and keys that the checkpoint does not know are no difference.
// Throws eco::Error (usage) naming every changed key that defines the run.
[[nodiscard]] std::vector<ConfigChange> changes_on_resume(
    const std::map<std::string, std::string>& saved, const TrainConfig& config,
    std::string_view stage);

}  // namespace eco::train
