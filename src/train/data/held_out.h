#pragma once
// The instances on which a run is judged: never drawn for training, with references by the expert
// at a higher effort (kept in the run's folder, so that a resumed run does not make them again) or
// from files.

#include <string>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/instance/instance.h"
#include "train/config/train_config.h"

namespace eco::train {

struct HeldOutSet {
  std::string name;                 // "tsp100", or the file
  std::vector<Instance> instances;  // each with reference_cost
};

// `cache`: file for generated ones; empty: none.
[[nodiscard]] std::vector<HeldOutSet> held_out_sets(const TrainConfig& config,
                                                    const std::string& cache, ThreadPool& pool);

}  // namespace eco::train
