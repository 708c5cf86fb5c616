#pragma once
// What an SFT step learns from: labels drawn from the store, transformed at random, of one size.
// Step t draws from its own random stream, so that a resumed run goes on with the same examples.

#include <cstdint>
#include <vector>

#include "train/config/train_config.h"
#include "train/data/label_store.h"

namespace eco::train {

struct SftExamples {
  // The transformed instances, each with its reference written down in the order to be learned.
  std::vector<Instance> instances;
  std::size_t nodes = 0;   // size of the pool they come from
  std::size_t tokens = 0;  // tokens that the encoder reads

  [[nodiscard]] std::size_t size() const { return instances.size(); }
};

class SftSampler {
 public:
  SftSampler(const TrainConfig& config, LabelStore& store);

  // The examples of `step`; `progress` in [0, 1) decides which sizes take part.
  [[nodiscard]] SftExamples draw(std::uint64_t step, double progress);

 private:
  [[nodiscard]] Instance draw_instance(std::size_t pool, Rng& rng);

  const TrainConfig& config_;
  LabelStore& store_;
  std::vector<SizeShare> shares_;  // one a pool
};

}  // namespace eco::train
