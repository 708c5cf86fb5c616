#pragma once
// Whole solutions prepared for scoring: the log-probability of a solution under a policy, whichever
// the scorer. Pointer: one sequence over one encoding. Candidate: the segments of a rolling
// construction with one end (docs/model.md); a random subset of them, the same for every solution
// of the batch, gives an unbiased estimate when scaled up.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "train/data/batch.h"
#include "train/nn/policy.h"

namespace eco::train {

// `count` of the indices below `total`, ascending; all if count is 0 or beyond.
[[nodiscard]] std::vector<std::size_t> draw_indices(std::size_t total, std::size_t count, Rng& rng);

struct ScoredSolution {
  const Instance* instance = nullptr;
  const Solution* solution = nullptr;
};

class SolutionBatch {
 public:
  // All of one size. Solutions of one instance should stand side by side: it is encoded once.
  // `segments`: how many to draw, 0: all (candidate scorer only).
  SolutionBatch(const ModelConfig& model, std::span<const ScoredSolution> solutions,
                std::size_t segments, Rng& rng, ThreadPool& pool);

  // [solutions, steps] of every choice that is scored, 0 where one does not count.
  [[nodiscard]] at::Tensor step_log_probabilities(const Policy& policy) const;
  // [solutions]
  [[nodiscard]] at::Tensor log_probabilities(const Policy& policy) const;

  [[nodiscard]] std::size_t tokens() const { return tokens_; }  // that encoder and decoder read
  [[nodiscard]] double steps() const { return steps_; }         // choices a solution, all segments
  // Factor from the scored segments to all.
  [[nodiscard]] double scale() const { return scale_; }

 private:
  void make_pointer(const ModelConfig& model, std::span<const ScoredSolution> solutions,
                    ThreadPool& pool);
  void make_segments(const ModelConfig& model, std::span<const ScoredSolution> solutions,
                     std::size_t segments, Rng& rng, ThreadPool& pool);

  std::vector<PointerBatch> pointer_;   // none or one
  std::vector<SegmentBatch> segments_;  // one a segment of the construction
  std::size_t tokens_ = 0;
  double steps_ = 0;
  double scale_ = 1;
};

// Tokens that one solution of this instance costs, for batches by token count.
[[nodiscard]] std::size_t tokens_of(const ModelConfig& model, const Instance& instance,
                                    const Solution& solution, std::size_t segments);

}  // namespace eco::train
