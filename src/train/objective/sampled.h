#pragma once
// The sequential constructor on its own samples: each round samples K solutions of fresh instances
// from the current policy with the native engine. What becomes of the pools is the objective's own.

#include <functional>
#include <span>
#include <vector>

#include "train/objective/objective.h"
#include "train/pairs/pairs.h"
#include "train/rollout/solution_batch.h"

namespace eco::train {

class SampledObjective : public Objective {
 public:
  explicit SampledObjective(const TrainConfig& config);

  [[nodiscard]] TrainingData data() const override;
  [[nodiscard]] Prepared prepare(const Round& round, nlohmann::ordered_json& line) override;

 protected:
  // Null: nothing to learn from these.
  virtual std::unique_ptr<Buffer> learn_from(std::vector<Pool> pools, const Round& round,
                                             nlohmann::ordered_json& line) = 0;

  // Runs body(pool number, random numbers of its own) for every pool, on all threads.
  static void for_each_pool(const Round& round, std::size_t pools,
                            const std::function<void(std::size_t, Rng&)>& body);
  // The solutions in parts of as many tokens as the config says.
  [[nodiscard]] std::vector<std::span<const ScoredSolution>> cut(
      std::span<const ScoredSolution> solutions, std::size_t group, const Trainer& trainer) const;

  // Whether every sample of an instance starts at another node, which is then no choice.
  [[nodiscard]] virtual bool spreads() const { return false; }
  // Fresh instances that no round learns from: set `number`, as the rounds at `progress` have them.
  [[nodiscard]] std::vector<Instance> other_instances(std::uint64_t number, std::size_t count,
                                                      double progress);

  const TrainConfig& config_;
  const ImproveConfig& improve_;

 private:
  InstanceSource source_;
};

}  // namespace eco::train
