#pragma once
// Losses on preference pairs. A pair has a margin: by how much more the policy prefers the winner.
// The tensors are [pairs] and so is every result: one loss a pair, not reduced. DPO is the paper's
// objective; the other two are its controls and know no reference.

#include <memory>

#include "train/torch.h"

namespace eco::train {

// s = beta ((log p(w) - log p_ref(w)) - (log p(l) - log p_ref(l))), the argument of the sigmoid.
[[nodiscard]] at::Tensor implicit_margin(const at::Tensor& winner, const at::Tensor& loser,
                                         const at::Tensor& reference_winner,
                                         const at::Tensor& reference_loser, double beta);

class MarginLoss {
 public:
  virtual ~MarginLoss() = default;
  // Whether log-probabilities count from those of the reference policy.
  [[nodiscard]] virtual bool has_reference() const { return false; }
  [[nodiscard]] virtual double scale() const { return 1; }  // of the margin
  [[nodiscard]] virtual at::Tensor loss(const at::Tensor& margin) const = 0;
  // The same for one pair, with its derivative by the margin.
  struct Value {
    double loss, slope;
  };
  [[nodiscard]] virtual Value at(double margin) const = 0;
};

// -log sigmoid(s) of the implicit margin.
[[nodiscard]] std::unique_ptr<MarginLoss> dpo_loss(double beta);
// -log sigmoid(log p(w) - log p(l))
[[nodiscard]] std::unique_ptr<MarginLoss> logistic_ranking();
// max(0, wanted - (log p(w) - log p(l)))
[[nodiscard]] std::unique_ptr<MarginLoss> hinge_ranking(double wanted);

}  // namespace eco::train
