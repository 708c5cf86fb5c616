// The sequential constructor on the advantage of its own samples over a baseline: the online
// controls of the paper.

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/statistics.h"
#include "train/config/values.h"
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
          {SolutionBatch(config_.model, part, trainer.pool(), spreads()),
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

// AM's recipe: the baseline is the greedy rollout of the best policy so far. Every so many rounds
// the policy challenges it on instances of which neither has learned; it takes its place if it is
// better beyond doubt, and then others are drawn, lest the baseline be chosen for these.
class RolloutObjective final : public AdvantageObjective {
 public:
  using AdvantageObjective::AdvantageObjective;

  void begin(Trainer& trainer) override {
    baseline_.begin(trainer);
    threads_ = trainer.pool().size();
    if (!trainer.resumed()) return;
    replaced_ = trainer.resumed()->number("baseline.replaced");
    drawn_at_ = trainer.resumed()->real("baseline.drawn_at");
  }
  Prepared prepare(const Round& round, nlohmann::ordered_json& line) override {
    progress_ = round.progress;
    if (challenge_p_) line["challenge_p"] = *challenge_p_;
    line["baselines"] = replaced_;
    return AdvantageObjective::prepare(round, line);
  }
  void finish(const Policy& policy, std::uint64_t rounds) override {
    challenge_p_.reset();
    if (rounds % improve_.reference_every == 0) challenge(policy);
  }
  void save(TrainState& state) const override {
    baseline_.save(state);
    state.fields["baseline.replaced"] = std::to_string(replaced_);
    state.fields["baseline.drawn_at"] = show_value(drawn_at_);
  }

 protected:
  void make_baselines(std::span<const Pool> pools, Trainer&) override {
    std::vector<const Instance*> instances;
    for (const Pool& pool : pools) instances.push_back(pool.instance);
    greedy_ = greedy_costs(*baseline_, instances);
  }
  [[nodiscard]] std::vector<double> advantages(const Pool& pool,
                                               std::size_t number) const override {
    return relative_advantage(pool, greedy_[number]);
  }

 private:
  [[nodiscard]] std::vector<double> greedy_costs(const Policy& policy,
                                                 std::span<const Instance* const> instances) const {
    return PolicyEngine(to_weights(policy), threads_).greedy_costs(instances);
  }

  void challenge(const Policy& policy) {
    const std::vector<Instance> instances =
        other_instances(replaced_, improve_.challenge, drawn_at_);
    std::vector<const Instance*> pointers;
    for (const Instance& instance : instances) pointers.push_back(&instance);
    if (to_beat_.empty()) to_beat_ = greedy_costs(*baseline_, pointers);
    challenge_p_ = paired_t_test(greedy_costs(policy, pointers), to_beat_);
    if (*challenge_p_ >= kSignificance) return;
    baseline_.replace(policy);
    ++replaced_;
    drawn_at_ = progress_;
    to_beat_.clear();
  }

  static constexpr double kSignificance = 0.05;

  ReferencePolicy baseline_{improve_.reference_every};
  std::size_t threads_ = 1;
  std::uint64_t replaced_ = 0;  // how often; the number of the set of instances
  double drawn_at_ = 0;         // progress at which these were drawn
  double progress_ = 0;
  std::vector<double> to_beat_;  // costs of the baseline on these; empty: not known yet
  std::optional<double> challenge_p_;
  std::vector<double> greedy_;
};

// POMO's recipe: every sample starts at another node, the baseline is the mean of them all.
class MultistartObjective final : public AdvantageObjective {
 public:
  using AdvantageObjective::AdvantageObjective;

 protected:
  [[nodiscard]] bool spreads() const override { return true; }
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
