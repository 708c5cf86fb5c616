#pragma once
// What one round of stage two learns from: prepared parts with everything that stays fixed during
// the round (reference log-probabilities, advantages), and the loss of each. Pairs serve dpo,
// logistic, hinge and imitate; pools serve ppo, rollout and multistart.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "train/config/train_config.h"
#include "train/pairs/pairs.h"
#include "train/rollout/solution_batch.h"

namespace eco::train {

// Sums over pairs or solutions, for the metrics. Filled by the loss, one a part.
struct Observed {
  double count = 0;
  double accurate = 0;      // pairs whose implicit margin is above 0
  double margin = 0;        // implicit margin (dpo) or difference of log-probabilities
  double winner_drift = 0;  // log p - log p_ref (pairs), log p - log p_before (pools)
  double loser_drift = 0;

  Observed& operator+=(const Observed& other);
};

class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual std::size_t parts() const = 0;
  [[nodiscard]] virtual std::size_t items(std::size_t part) const = 0;  // pairs or solutions
  [[nodiscard]] virtual std::size_t tokens(std::size_t part) const = 0;
  // Sum over the part's items; the caller divides by the items of the whole minibatch.
  [[nodiscard]] virtual at::Tensor loss(const Policy& policy, std::size_t part,
                                        Observed& observed) const = 0;
};

struct BufferSettings {
  const ModelConfig& model;
  const DpoConfig& dpo;
  std::size_t part_tokens;  // most tokens of a part
};

// The reference scores every pair here, once.
[[nodiscard]] std::unique_ptr<Buffer> pair_buffer(const BufferSettings& settings,
                                                  std::span<const PreferencePair> pairs,
                                                  const Policy& reference, ThreadPool& pool);

// One advantage a solution of each pool. The policy that sampled them scores them here, once.
[[nodiscard]] std::unique_ptr<Buffer> pool_buffer(const BufferSettings& settings,
                                                  std::span<const Pool> pools,
                                                  std::span<const std::vector<double>> advantages,
                                                  const Policy& sampler, ThreadPool& pool);

}  // namespace eco::train
