#pragma once
// The instances on which a run is judged: never drawn for training, from files or generated, with
// references by the expert at a higher effort. Generated ones are kept on disk, one file for all
// runs that ask for the same: its name has a checksum of everything that the labels depend on.

#include <cstddef>
#include <functional>
#include <stop_token>
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

// The sets of validate.files; none if there are no such files.
[[nodiscard]] std::vector<HeldOutSet> read_held_out(const TrainConfig& config);

// Sizes of generated sets: validate.sizes, or else what is trained on. Throws eco::Error (usage) if
// those are the sizes of files and too many to judge on without being asked.
[[nodiscard]] std::vector<std::size_t> held_out_sizes(const TrainConfig& config,
                                                      const std::vector<std::size_t>& trained);

struct HeldOutOptions {
  std::string cache;                           // files are CACHE-tsp100-CHECKSUM.labels
  std::function<void(double share)> progress;  // of the labels that have to be made
  std::stop_token stop;                        // ends within milliseconds
};

// Generated sets. Throws eco::Error (interrupted) when stopped; labels made so far stay in the
// cache.
[[nodiscard]] std::vector<HeldOutSet> make_held_out(const TrainConfig& config,
                                                    const std::vector<std::size_t>& sizes,
                                                    const HeldOutOptions& options,
                                                    ThreadPool& pool);

// Identifies the sets by their content: gaps are comparable if and only if it is the same.
[[nodiscard]] std::string content_of(const std::vector<HeldOutSet>& sets);

}  // namespace eco::train
