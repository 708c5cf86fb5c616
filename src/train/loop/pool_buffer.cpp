#include <algorithm>
#include <memory>

#include "train/loop/buffer.h"
#include "train/loss/policy_gradient.h"
#include "train/nn/gradient.h"

namespace eco::train {

namespace {

struct PoolPart {
  SolutionBatch batch;
  at::Tensor advantage;  // [solutions]
  at::Tensor before;     // [solutions, steps] log-probabilities of the sampler
};

class PoolBuffer final : public Buffer {
 public:
  PoolBuffer(const BufferSettings& settings, std::span<const Pool> pools,
             std::span<const std::vector<double>> advantages, const Policy& sampler,
             ThreadPool& pool)
      : dpo_(settings.dpo) {
    std::vector<ScoredSolution> solutions;
    std::vector<float> values;
    for (std::size_t i = 0; i < pools.size(); ++i) {
      for (std::size_t k = 0; k < pools[i].solutions.size(); ++k) {
        solutions.push_back({pools[i].instance, &pools[i].solutions[k]});
        values.push_back(static_cast<float>(advantages[i][k]));
      }
    }
    const std::size_t each = solutions.front().solution->sequence.size();  // tokens
    const std::size_t count = std::max<std::size_t>(1, settings.part_tokens / each);
    for (std::size_t first = 0; first < solutions.size(); first += count) {
      const std::size_t size = std::min(count, solutions.size() - first);
      parts_.push_back(
          {SolutionBatch(settings.model, std::span(solutions).subspan(first, size), pool),
           at::from_blob(values.data() + first, {static_cast<std::int64_t>(size)}).clone(),
           {}});
    }
    for_each_part(pool, parts_.size(), [&](std::size_t part) {
      parts_[part].before = parts_[part].batch.step_log_probabilities(sampler);
    });
  }

  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  [[nodiscard]] std::size_t items(std::size_t part) const override {
    return static_cast<std::size_t>(parts_[part].advantage.size(0));
  }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return parts_[part].batch.tokens();
  }

  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t index,
                                Observed& observed) const override {
    const PoolPart& part = parts_[index];
    const at::Tensor now = part.batch.step_log_probabilities(policy);
    {
      const at::NoGradGuard guard;
      observed.count = static_cast<double>(items(index));
      observed.winner_drift = (now - part.before).sum().item<double>();
    }
    // Steps that do not count are 0 before and after: their surrogate is a constant.
    const at::Tensor each = dpo_.objective == Objective::ppo
                                ? ppo_loss(now, part.before, part.advantage, dpo_.clip_ratio).sum(1)
                                : reinforce_loss(now.sum(1), part.advantage);
    const double unit = dpo_.length_normalised ? 1 / part.batch.steps() : 1;
    return each.sum() * unit;
  }

 private:
  const DpoConfig& dpo_;
  std::vector<PoolPart> parts_;
};

}  // namespace

std::unique_ptr<Buffer> pool_buffer(const BufferSettings& settings, std::span<const Pool> pools,
                                    std::span<const std::vector<double>> advantages,
                                    const Policy& sampler, ThreadPool& pool) {
  return std::make_unique<PoolBuffer>(settings, pools, advantages, sampler, pool);
}

}  // namespace eco::train
