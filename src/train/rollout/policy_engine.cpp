#include "train/rollout/policy_engine.h"

#include <utility>

namespace eco::train {

PolicyEngine::PolicyEngine(Weights weights, std::size_t threads)
    : engine_(std::make_shared<const Weights>(std::move(weights)), threads) {}

std::vector<double> PolicyEngine::greedy_costs(std::span<const Instance* const> instances,
                                               std::size_t ends) {
  DecodeOptions options;
  if (engine_.config().scorer == Scorer::candidate) options.ends = ends;
  std::vector<double> costs;
  for (const auto& rollouts : engine_.run(instances, options)) {
    costs.push_back(rollouts.front().cost);
  }
  return costs;
}

std::vector<Rollout> PolicyEngine::greedy(std::span<const Instance* const> instances) {
  DecodeOptions options;
  options.doubt = 1;
  std::vector<Rollout> greedy;
  greedy.reserve(instances.size());
  for (auto& rollouts : engine_.run(instances, options)) {
    greedy.push_back(std::move(rollouts.front()));
  }
  return greedy;
}

double PolicyEngine::greedy_gap(std::span<const Instance> instances, std::size_t ends) {
  std::vector<const Instance*> pointers;
  for (const Instance& instance : instances) pointers.push_back(&instance);
  const std::vector<double> costs = greedy_costs(pointers, ends);
  double sum = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    sum += 100 * (costs[i] / instances[i].reference_cost.value() - 1);
  }
  return sum / static_cast<double>(costs.size());
}

std::vector<Pool> PolicyEngine::sample(std::span<const Instance* const> instances,
                                       std::size_t samples, double temperature,
                                       std::uint64_t seed) {
  DecodeOptions options;
  options.method = Decode::sample;
  options.samples = samples;
  options.temperature = temperature;
  options.seed = seed;
  if (engine_.config().scorer == Scorer::candidate) options.ends = 1;
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
