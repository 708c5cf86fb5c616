#pragma once
// Losses on preference pairs as pure functions of log-probabilities. Every tensor is [pairs] and so
// is every result: one loss a pair, not reduced. DPO is the paper's objective; the other two are
// its controls and know no reference.

#include "train/torch.h"

namespace eco::train {

// s = beta ((log p(w) - log p_ref(w)) - (log p(l) - log p_ref(l))), the argument of the sigmoid.
[[nodiscard]] at::Tensor implicit_margin(const at::Tensor& winner, const at::Tensor& loser,
                                         const at::Tensor& reference_winner,
                                         const at::Tensor& reference_loser, double beta);

// -log sigmoid(s)
[[nodiscard]] at::Tensor dpo_loss(const at::Tensor& implicit_margin);

// -log sigmoid(log p(w) - log p(l))
[[nodiscard]] at::Tensor logistic_loss(const at::Tensor& winner, const at::Tensor& loser);

// max(0, margin - (log p(w) - log p(l)))
[[nodiscard]] at::Tensor hinge_loss(const at::Tensor& winner, const at::Tensor& loser,
                                    double margin);

}  // namespace eco::train
