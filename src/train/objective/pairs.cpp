// The sequential constructor on preference pairs among its own samples: the paper's second stage
// and its ranking controls.

#include <nlohmann/json.hpp>
#include <utility>

#include "train/loss/preference.h"
#include "train/nn/gradient.h"
#include "train/objective/kinds.h"
#include "train/objective/reference.h"
#include "train/objective/sampled.h"

namespace eco::train {

namespace {

using Json = nlohmann::ordered_json;

Json margins_json(std::span<const PreferencePair> pairs, PairSource source) {
  const MarginSummary m = summarise_margins(pairs, source);
  return {
      {"pairs", m.count}, {"mean", m.mean}, {"median", m.median}, {"p10", m.p10}, {"p90", m.p90}};
}

// Log-probabilities of the pairs of a part, each [pairs].
struct PairScores {
  at::Tensor winner, loser, reference_winner, reference_loser;
  double steps;  // choices a solution
  double unit;   // 1, or 1 / steps for the mean log-probability of a choice in place of the sum
};

class PairObjective : public SampledObjective {
 public:
  explicit PairObjective(const TrainConfig& config)
      : SampledObjective(config), reference_(config.improve.reference_every) {}

  void begin(Trainer& trainer) override { reference_.begin(trainer); }
  void finish(const Policy& policy, std::uint64_t rounds) override {
    reference_.finish(policy, rounds);
  }
  void save(TrainState& state) const override { reference_.save(state); }

  // [pairs] each: by how much the winner is preferred, and the loss.
  [[nodiscard]] virtual at::Tensor margin(const PairScores& scores) const {
    return (scores.winner - scores.loser) * scores.unit;
  }
  [[nodiscard]] virtual at::Tensor loss(const PairScores& scores,
                                        const at::Tensor& margin) const = 0;

 protected:
  std::unique_ptr<Buffer> learn_from(std::vector<Pool> pools, const Round& round,
                                     Json& line) override;

 private:
  ReferencePolicy reference_;
};

class PairBuffer final : public Buffer {
 public:
  struct Part {
    SolutionBatch batch;   // winner, loser, winner, loser, ...
    at::Tensor reference;  // [pairs, 2] log-probabilities
  };

  // The reference scores every pair here, once.
  PairBuffer(const PairObjective& objective, const ImproveConfig& improve, std::vector<Part> parts,
             const Policy& reference, ThreadPool& pool)
      : objective_(objective), improve_(improve), parts_(std::move(parts)) {
    for_each_part(pool, parts_.size(), [&](std::size_t part) {
      parts_[part].reference = scores(reference, parts_[part]);
    });
  }

  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  [[nodiscard]] bool shuffled() const override { return true; }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return parts_[part].batch.tokens();
  }
  [[nodiscard]] Weight weight(std::size_t part) const override {
    const auto pairs = static_cast<double>(parts_[part].reference.size(0));
    return {pairs, pairs};
  }

  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t index, const Weight& minibatch,
                                Observed& observed) const override {
    const Part& part = parts_[index];
    const at::Tensor now = scores(policy, part);
    const double steps = part.batch.steps();
    const PairScores pairs{now.select(1, 0),
                           now.select(1, 1),
                           part.reference.select(1, 0),
                           part.reference.select(1, 1),
                           steps,
                           improve_.length_normalised ? 1 / steps : 1};
    const at::Tensor margin = objective_.margin(pairs);
    observe(part, margin, now, observed);
    at::Tensor result = objective_.loss(pairs, margin);
    if (improve_.nll > 0) result = result - pairs.winner * (improve_.nll / steps);
    return result.sum() / minibatch.items;
  }

 private:
  // [pairs, 2]: winner, loser
  static at::Tensor scores(const Policy& policy, const Part& part) {
    return part.batch.log_probabilities(policy).view({-1, 2});
  }

  static void observe(const Part& part, const at::Tensor& margin, const at::Tensor& now,
                      Observed& observed) {
    const at::NoGradGuard guard;
    const at::Tensor drift = (now - part.reference).sum(0);
    const auto count = static_cast<double>(margin.size(0));
    observed.add("implicit_accuracy", margin.gt(0).sum().item<double>(), count);
    observed.add("implicit_margin", margin.sum().item<double>(), count);
    observed.add("winner_drift", drift[0].item<double>(), count);
    observed.add("loser_drift", drift[1].item<double>(), count);
  }

  const PairObjective& objective_;
  const ImproveConfig& improve_;
  std::vector<Part> parts_;
};

std::unique_ptr<Buffer> PairObjective::learn_from(std::vector<Pool> pools, const Round& round,
                                                  Json& line) {
  Trainer& trainer = round.trainer;
  std::vector<std::vector<PreferencePair>> each(pools.size());
  for_each_pool(round, pools.size(),
                [&](std::size_t i, Rng& rng) { each[i] = pairs_of(pools[i], improve_, rng); });
  std::vector<PreferencePair> pairs;
  for (auto& list : each) std::move(list.begin(), list.end(), std::back_inserter(pairs));
  line["pairs"] = pairs.size();
  line["margin_sampled"] = margins_json(pairs, PairSource::sampled);
  line["margin_local_search"] = margins_json(pairs, PairSource::local_search);
  if (pairs.empty()) return nullptr;
  std::vector<ScoredSolution> solutions;
  for (const PreferencePair& pair : pairs) {
    solutions.push_back({pair.instance, &pair.winner});
    solutions.push_back({pair.instance, &pair.loser});
  }
  return trainer.watch().time("reference", [&] {
    std::vector<PairBuffer::Part> parts;
    for (const auto part : cut(solutions, 2, trainer)) {
      parts.push_back({SolutionBatch(config_.model, part, trainer.pool()), {}});
    }
    return std::make_unique<PairBuffer>(*this, improve_, std::move(parts), *reference_,
                                        trainer.pool());
  });
}

// A loss of the margin alone.
class MarginObjective final : public PairObjective {
 public:
  MarginObjective(const TrainConfig& config, std::unique_ptr<MarginLoss> loss)
      : PairObjective(config), loss_(std::move(loss)) {}

  [[nodiscard]] at::Tensor margin(const PairScores& scores) const override {
    if (!loss_->has_reference()) return PairObjective::margin(scores);
    return implicit_margin(scores.winner, scores.loser, scores.reference_winner,
                           scores.reference_loser, loss_->scale() * scores.unit);
  }
  [[nodiscard]] at::Tensor loss(const PairScores&, const at::Tensor& margin) const override {
    return loss_->loss(margin);
  }

 private:
  std::unique_ptr<MarginLoss> loss_;
};

// SFT on local-search-refined routes: the mean NLL of the winner's choices, whoever the loser is.
class WinnerObjective final : public PairObjective {
 public:
  using PairObjective::PairObjective;
  [[nodiscard]] at::Tensor loss(const PairScores& scores, const at::Tensor&) const override {
    return -scores.winner / scores.steps;
  }
};

}  // namespace

ObjectiveOwner sequential_dpo(const TrainConfig& config) {
  return std::make_unique<MarginObjective>(config, dpo_loss(config.improve.beta));
}
ObjectiveOwner sequential_logistic(const TrainConfig& config) {
  return std::make_unique<MarginObjective>(config, logistic_ranking());
}
ObjectiveOwner sequential_hinge(const TrainConfig& config) {
  return std::make_unique<MarginObjective>(config, hinge_ranking(config.improve.margin));
}
ObjectiveOwner sequential_winners(const TrainConfig& config) {
  return std::make_unique<WinnerObjective>(config);
}

}  // namespace eco::train
