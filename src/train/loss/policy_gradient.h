#pragma once
// Losses of the online controls. A positive advantage means: better than the baseline.

#include "train/torch.h"

namespace eco::train {

// PPO's clipped surrogate, the ratio taken at every step: -min(r A, clip(r, 1 - c, 1 + c) A).
// now, before [solutions, steps] log-probabilities; advantage [solutions]  ->  [solutions, steps]
[[nodiscard]] at::Tensor ppo_loss(const at::Tensor& now, const at::Tensor& before,
                                  const at::Tensor& advantage, double clip);

// REINFORCE: -A log p.   log_probability, advantage [solutions]  ->  [solutions]
[[nodiscard]] at::Tensor reinforce_loss(const at::Tensor& log_probability,
                                        const at::Tensor& advantage);

}  // namespace eco::train
