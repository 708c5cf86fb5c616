// The sequential constructor on the advantage of its own samples over a baseline: the online
// controls of the paper.

#include <nlohmann/json.hpp>
#include <utility>

#include "train/loss/policy_gradient.h"
#include "train/nn/gradient.h"
#include "train/objective/kinds.h"
#include "train/objective/reference.h"
#include "train/objective/sampled.h"
#include "train/pairs/advantage.h"
#include "train/rollout/policy_engine.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {

namespace {

class AdvantageObjective : public SampledObjective {
 public:
  using SampledObjective::SampledObjective;

  void begin(Trainer&) override {}
  void finish(const Policy&, std::uint64_t) override {}
  void save(TrainState&) const override {}

  // now, before [solutions, steps] log-probabilities; advantage [solutions] -> [solutions].
  // REINFORCE unless said otherwise.
  [[nodiscard]] virtual at::Tensor loss(const at::Tensor& now, const at::Tensor& /*before*/,
                                        const at::Tensor& advantage) const {
    return reinforce_loss(now.sum(1), advantage);
  }

 protected:
  // What the advantages of the pools are reckoned from; called before any of them is asked for.
  virtual void make_baselines(std::span<const Pool> /*pools*/, Trainer&) {}
  // One a solution. Called from several threads.
  [[nodiscard]] virtual std::vector<double> advantages(const Pool& pool,
                                                       std::size_t number) const = 0;
  std::unique_ptr<Buffer> learn_from(std::vector<Pool> pools, const Round& round,
                                     nlohmann::ordered_json& line) override;
};

class AdvantageBuffer final : public Buffer {
 public:
  struct Part {
    SolutionBatch batch;
    at::Tensor advantage;  // [solutions]
    at::Tensor before;     // [solutions, steps] log-probabilities of the sampler
  };

  // The policy that sampled the solutions scores them here, once.
  AdvantageBuffer(const AdvantageObjective& objective, bool length_normalised,
                  std::vector<Part> parts, const Policy& sampler, ThreadPool& pool)
      : objective_(objective), length_normalised_(length_normalised), parts_(std::move(parts)) {
    for_each_part(pool, parts_.size(), [&](std::size_t part) {
      parts_[part].before = parts_[part].batch.step_log_probabilities(sampler);
    });
  }

  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  [[nodiscard]] bool shuffled() const override { return true; }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return parts_[part].batch.tokens();
  }
  [[nodiscard]] Weight weight(std::size_t part) const override {
    return {static_cast<double>(parts_[part].advantage.size(0))};
  }

  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t index, const Weight& minibatch,
                                Observed& observed) const override {
    const Part& part = parts_[index];
    const at::Tensor now = part.batch.step_log_probabilities(policy);
    {
      const at::NoGradGuard guard;
      observed.add("drift", (now - part.before).sum().item<double>(), weight(index).items);
    }
    // Steps that do not count are 0 before and after: their surrogate is a constant.
    const double unit = length_normalised_ ? 1 / part.batch.steps() : 1;
    return objective_.loss(now, part.before, part.advantage).sum() * unit / minibatch.items;
  }

 private:
  const AdvantageObjective& objective_;
  bool length_normalised_;
  std::vector<Part> parts_;
};

std::unique_ptr<Buffer> AdvantageObjective::learn_from(std::vector<Pool> pools, const Round& round,
                                                       nlohmann::ordered_json& /*line*/) {
  Trainer& trainer = round.trainer;
  trainer.watch().time("generation", [&] { make_baselines(pools, trainer); });
  std::vector<std::vector<double>> each(pools.size());
  for_each_pool(round, pools.size(), [&](std::size_t i, Rng& rng) {
    if (rng.uniform() < improve_.alpha) refine_one(pools[i], improve_.operators, rng);
    each[i] = advantages(pools[i], i);
  });
  std::vector<ScoredSolution> solutions;
  std::vector<float> values;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    for (const Solution& solution : pools[i].solutions) {
      solutions.push_back({pools[i].instance, &solution});
    }
    values.insert(values.end(), each[i].begin(), each[i].end());
  }
  return trainer.watch().time("reference", [&] {
    std::vector<AdvantageBuffer::Part> parts;
    std::size_t first = 0;
    for (const auto part : cut(solutions, 1, trainer)) {
      parts.push_back(
          {SolutionBatch(config_.model, part, trainer.pool()),
           at::from_blob(values.data() + first, {static_cast<std::int64_t>(part.size())}).clone(),
           {}});
      first += part.size();
    }
    return std::make_unique<AdvantageBuffer>(*this, improve_.length_normalised, std::move(parts),
                                             trainer.policy(), trainer.pool());
  });
}

class PpoObjective final : public AdvantageObjective {
 public:
  using AdvantageObjective::AdvantageObjective;
  [[nodiscard]] at::Tensor loss(const at::Tensor& now, const at::Tensor& before,
                                const at::Tensor& advantage) const override {
    return ppo_loss(now, before, advantage, improve_.clip_ratio).sum(1);
  }

 protected:
  [[nodiscard]] std::vector<double> advantages(const Pool& pool, std::size_t) const override {
    return standardised_advantage(pool);
  }
};

// AM's recipe: the baseline is the greedy rollout of a frozen policy.
class RolloutObjective final : public AdvantageObjective {
 public:
  explicit RolloutObjective(const TrainConfig& config)
      : AdvantageObjective(config), reference_(config.improve.reference_every) {}

  void begin(Trainer& trainer) override { reference_.begin(trainer); }
  void finish(const Policy& policy, std::uint64_t rounds) override {
    reference_.finish(policy, rounds);
  }
  void save(TrainState& state) const override { reference_.save(state); }

 protected:
  void make_baselines(std::span<const Pool> pools, Trainer& trainer) override {
    std::vector<const Instance*> instances;
    for (const Pool& pool : pools) instances.push_back(pool.instance);
    greedy_ = PolicyEngine(to_weights(*reference_), trainer.pool().size()).greedy_costs(instances);
  }
  [[nodiscard]] std::vector<double> advantages(const Pool& pool,
                                               std::size_t number) const override {
    return relative_advantage(pool, greedy_[number]);
  }

 private:
  ReferencePolicy reference_;
  std::vector<double> greedy_;
};

// POMO's recipe: the baseline is the mean of the pool.
class MultistartObjective final : public AdvantageObjective {
 public:
  using AdvantageObjective::AdvantageObjective;

 protected:
  [[nodiscard]] std::vector<double> advantages(const Pool& pool, std::size_t) const override {
    return relative_advantage(pool, mean_cost(pool));
  }
};

}  // namespace

ObjectiveOwner sequential_ppo(const TrainConfig& config) {
  return std::make_unique<PpoObjective>(config);
}
ObjectiveOwner sequential_rollout(const TrainConfig& config) {
  return std::make_unique<RolloutObjective>(config);
}
ObjectiveOwner sequential_multistart(const TrainConfig& config) {
  return std::make_unique<MultistartObjective>(config);
}

}  // namespace eco::train
