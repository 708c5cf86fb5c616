#pragma once
// Fresh instances for the rounds of stage two: generated, or drawn from the files. Round r has one
// size and is a function of the seed and r alone.

#include <cstdint>
#include <memory>
#include <vector>

#include "train/config/train_config.h"
#include "train/data/label_store.h"

namespace eco::train {

class InstanceSource {
 public:
  explicit InstanceSource(const TrainConfig& config);

  // `progress` in [0, 1) decides which sizes take part.
  [[nodiscard]] std::vector<Instance> round(std::uint64_t round, double progress);

  [[nodiscard]] const LabelStore* files() const { return files_.get(); }

 private:
  const TrainConfig& config_;
  std::unique_ptr<LabelStore> files_;  // only with data.files
  std::vector<SizeShare> shares_;
};

// One of the sizes that take part at `progress`, by weight.
[[nodiscard]] std::size_t draw_share(const std::vector<SizeShare>& shares, double progress,
                                     Rng& rng);

// The config's sizes. With files one share a pool of the store: as the config says if it names
// sizes (the others then rest), else by count. Throws eco::Error (usage) if it names one that the
// files do not hold.
[[nodiscard]] std::vector<SizeShare> shares_of(const TrainConfig& config, const LabelStore* store);

// What a run has to know of its data before it writes anything.
struct TrainingData {
  std::vector<std::size_t> sizes;  // that are drawn
  std::string content;             // LabelStore::content
};
[[nodiscard]] TrainingData training_data(const TrainConfig& config, const LabelStore* store);

}  // namespace eco::train
