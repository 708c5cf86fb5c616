#include <algorithm>
#include <memory>

#include "train/loop/buffer.h"
#include "train/loss/preference.h"
#include "train/nn/gradient.h"

namespace eco::train {

namespace {

struct PairPart {
  SolutionBatch batch;  // winner, loser, winner, loser, ...
  std::size_t pairs;
  at::Tensor reference;  // [pairs, 2] log-probabilities

  PairPart(const BufferSettings& settings, std::span<const PreferencePair> list, ThreadPool& pool)
      : batch(settings.model, solutions(list), pool), pairs(list.size()) {}

  static std::vector<ScoredSolution> solutions(std::span<const PreferencePair> list) {
    std::vector<ScoredSolution> result;
    for (const PreferencePair& pair : list) {
      result.push_back({pair.instance, &pair.winner});
      result.push_back({pair.instance, &pair.loser});
    }
    return result;
  }
};

class PairBuffer final : public Buffer {
 public:
  PairBuffer(const BufferSettings& settings, std::span<const PreferencePair> pairs,
             const Policy& reference, ThreadPool& pool)
      : dpo_(settings.dpo) {
    const std::size_t each = pairs.front().winner.sequence.size();  // tokens
    const std::size_t count = std::max<std::size_t>(1, settings.part_tokens / (2 * each));
    for (std::size_t first = 0; first < pairs.size(); first += count) {
      parts_.emplace_back(settings, pairs.subspan(first, std::min(count, pairs.size() - first)),
                          pool);
    }
    for_each_part(pool, parts_.size(), [&](std::size_t part) {
      parts_[part].reference = scores(reference, parts_[part]);
    });
  }

  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  [[nodiscard]] std::size_t items(std::size_t part) const override { return parts_[part].pairs; }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return parts_[part].batch.tokens();
  }

  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t index,
                                Observed& observed) const override {
    const PairPart& part = parts_[index];
    const at::Tensor now = scores(policy, part);
    const at::Tensor winner = now.select(1, 0), loser = now.select(1, 1);
    const at::Tensor reference_winner = part.reference.select(1, 0);
    const at::Tensor reference_loser = part.reference.select(1, 1);
    // Length-normalised: the mean log-probability of a choice in the place of the sum.
    const double unit = dpo_.length_normalised ? 1 / part.batch.steps() : 1;
    const bool has_reference = dpo_.objective == Objective::dpo;
    const at::Tensor margin = has_reference ? implicit_margin(winner, loser, reference_winner,
                                                              reference_loser, dpo_.beta * unit)
                                            : (winner - loser) * unit;
    observe(part, margin, now, observed);
    at::Tensor result = preference(margin, winner * unit, loser * unit, part.batch.steps());
    if (dpo_.nll > 0) result = result - winner * (dpo_.nll / part.batch.steps());
    return result.sum();
  }

 private:
  // [pairs, 2]: winner, loser
  static at::Tensor scores(const Policy& policy, const PairPart& part) {
    return part.batch.log_probabilities(policy).view({-1, 2});
  }

  [[nodiscard]] at::Tensor preference(const at::Tensor& margin, const at::Tensor& winner,
                                      const at::Tensor& loser, double steps) const {
    switch (dpo_.objective) {
      case Objective::logistic:
        return logistic_loss(winner, loser);
      case Objective::hinge:
        return hinge_loss(winner, loser, dpo_.margin);
      case Objective::imitate:
        return -winner / (dpo_.length_normalised ? 1 : steps);
      default:
        return dpo_loss(margin);
    }
  }

  static void observe(const PairPart& part, const at::Tensor& margin, const at::Tensor& now,
                      Observed& observed) {
    const at::NoGradGuard guard;
    const at::Tensor drift = (now - part.reference).sum(0);
    observed.count = static_cast<double>(part.pairs);
    observed.accurate = margin.gt(0).sum().item<double>();
    observed.margin = margin.sum().item<double>();
    observed.winner_drift = drift[0].item<double>();
    observed.loser_drift = drift[1].item<double>();
  }

  const DpoConfig& dpo_;
  std::vector<PairPart> parts_;
};

}  // namespace

Observed& Observed::operator+=(const Observed& other) {
  count += other.count;
  accurate += other.accurate;
  margin += other.margin;
  winner_drift += other.winner_drift;
  loser_drift += other.loser_drift;
  return *this;
}

std::unique_ptr<Buffer> pair_buffer(const BufferSettings& settings,
                                    std::span<const PreferencePair> pairs, const Policy& reference,
                                    ThreadPool& pool) {
  return std::make_unique<PairBuffer>(settings, pairs, reference, pool);
}

}  // namespace eco::train
