#include "train/objective/sampled.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "train/pairs/advantage.h"
#include "train/rollout/policy_engine.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kPairStream = 0x71d5ULL << 48U;

}  // namespace

SampledObjective::SampledObjective(const TrainConfig& config)
    : config_(config), improve_(config.improve), source_(config) {}

TrainingData SampledObjective::data() const {
  return training_data(config_, source_.files());
}

Prepared SampledObjective::prepare(const Round& round, nlohmann::ordered_json& line) {
  Trainer& trainer = round.trainer;
  const std::vector<Instance> instances = source_.round(round.index, round.progress);
  std::vector<Pool> pools = trainer.watch().time("generation", [&] {
    std::vector<const Instance*> pointers;
    for (const Instance& instance : instances) pointers.push_back(&instance);
    PolicyEngine engine(to_weights(trainer.policy()), trainer.pool().size());
    return engine.sample(pointers, improve_.samples, improve_.temperature,
                         round.stream(kPairStream), spreads());
  });
  double cost = 0;
  for (const Pool& pool : pools) cost += mean_cost(pool) / static_cast<double>(pools.size());
  line["sampled_cost"] = cost;
  return {learn_from(std::move(pools), round, line), instances.size()};
}

std::vector<Instance> SampledObjective::other_instances(std::uint64_t number, std::size_t count,
                                                        double progress) {
  // Rounds beyond any that is learned from.
  constexpr std::uint64_t kBeyond = 1ULL << 40U, kMostRounds = 1ULL << 16U;
  std::vector<Instance> result;
  for (std::uint64_t round = kBeyond + number * kMostRounds; result.size() < count; ++round) {
    for (Instance& instance : source_.round(round, progress)) {
      if (result.size() < count) result.push_back(std::move(instance));
    }
  }
  return result;
}

void SampledObjective::for_each_pool(const Round& round, std::size_t pools,
                                     const std::function<void(std::size_t, Rng&)>& body) {
  Trainer& trainer = round.trainer;
  trainer.watch().time("pairs", [&] {
    const std::uint64_t seed = round.stream(kPairStream);
    trainer.pool().parallel_for(pools, [&](std::size_t i, std::size_t) {
      Rng rng(seed, i);
      body(i, rng);
    });
  });
}

std::vector<std::span<const ScoredSolution>> SampledObjective::cut(
    std::span<const ScoredSolution> solutions, std::size_t group, const Trainer& trainer) const {
  const std::size_t tokens = std::max<std::size_t>(1, improve_.tokens / trainer.parts());
  const std::size_t each = group * solutions.front().solution->sequence.size();
  const std::size_t count = group * std::max<std::size_t>(1, tokens / each);
  std::vector<std::span<const ScoredSolution>> parts;
  for (std::size_t first = 0; first < solutions.size(); first += count) {
    parts.push_back(solutions.subspan(first, std::min(count, solutions.size() - first)));
  }
  return parts;
}

}  // namespace eco::train
