#pragma once
// Whole solutions prepared for scoring: the log-probability of a solution under a policy of the
// sequential constructor.

#include <span>

#include "core/base/thread_pool.h"
#include "train/data/batch.h"
#include "train/nn/policy.h"

namespace eco::train {

struct ScoredSolution {
  const Instance* instance = nullptr;
  const Solution* solution = nullptr;
};

class SolutionBatch {
 public:
  // All of one size. Solutions of one instance should stand side by side: it is encoded once.
  // first_given: their first nodes were no choice.
  SolutionBatch(const ModelConfig& model, std::span<const ScoredSolution> solutions,
                ThreadPool& pool, bool first_given = false);

  // [solutions, steps] of every choice that is scored, 0 where one does not count.
  [[nodiscard]] at::Tensor step_log_probabilities(const Policy& policy) const;
  // [solutions]
  [[nodiscard]] at::Tensor log_probabilities(const Policy& policy) const;

  [[nodiscard]] std::size_t tokens() const { return tokens_; }  // that encoder and decoder read
  [[nodiscard]] double steps() const { return steps_; }         // choices a solution

 private:
  PointerBatch batch_;
  std::size_t tokens_ = 0;
  double steps_ = 0;
};

}  // namespace eco::train
