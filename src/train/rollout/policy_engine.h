#pragma once
// Solutions by the native engine from the current weights: greedy ones to judge a policy, sampled
// ones to learn from. No LibTorch in here.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/infer/engine.h"
#include "core/instance/instance.h"
#include "core/model/weights.h"
#include "train/pairs/pairs.h"

namespace eco::train {

class PolicyEngine {
 public:
  PolicyEngine(Weights weights, std::size_t threads);

  // Cost of the greedy solution of each.
  [[nodiscard]] std::vector<double> greedy_costs(std::span<const Instance* const> instances);

  // Mean over the instances, in percent.
  [[nodiscard]] double greedy_gap(std::span<const Instance> instances);

  // `samples` solutions of each instance. A function of the seed alone. spread: every one of them
  // starts at another node.
  [[nodiscard]] std::vector<Pool> sample(std::span<const Instance* const> instances,
                                         std::size_t samples, double temperature,
                                         std::uint64_t seed, bool spread = false);

 private:
  Engine engine_;
};

}  // namespace eco::train
