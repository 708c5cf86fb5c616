#include "train/rollout/policy_engine.h"

#include <utility>

#include "core/base/statistics.h"

namespace eco::train {

PolicyEngine::PolicyEngine(Weights weights, std::size_t threads)
    : engine_(std::make_shared<const Weights>(std::move(weights)), threads) {}

std::vector<double> PolicyEngine::greedy_costs(std::span<const Instance* const> instances) {
  std::vector<double> costs;
  for (const auto& rollouts : engine_.run(instances, {})) costs.push_back(rollouts.front().cost);
  return costs;
}

double PolicyEngine::greedy_gap(std::span<const Instance> instances) {
  std::vector<const Instance*> pointers;
  for (const Instance& instance : instances) pointers.push_back(&instance);
  const std::vector<double> costs = greedy_costs(pointers);
  double sum = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    sum += gap_percent(costs[i], instances[i].reference_cost.value());
  }
  return sum / static_cast<double>(costs.size());
}

std::vector<Pool> PolicyEngine::sample(std::span<const Instance* const> instances,
                                       std::size_t samples, double temperature, std::uint64_t seed,
                                       bool spread) {
  DecodeOptions options;
  options.method = Decode::sample;
  options.samples = samples;
  options.temperature = temperature;
  options.seed = seed;
  options.spread = spread;
  auto all = engine_.run(instances, options);
  std::vector<Pool> pools(instances.size());
  for (std::size_t i = 0; i < pools.size(); ++i) {
    pools[i].instance = instances[i];
    for (Rollout& rollout : all[i]) {
      pools[i].solutions.push_back(std::move(rollout.solution));
      pools[i].costs.push_back(rollout.cost);
    }
  }
  return pools;
}

}  // namespace eco::train
