#include "train/loss/preference.h"

namespace eco::train {

at::Tensor implicit_margin(const at::Tensor& winner, const at::Tensor& loser,
                           const at::Tensor& reference_winner, const at::Tensor& reference_loser,
                           double beta) {
  return ((winner - reference_winner) - (loser - reference_loser)) * beta;
}

at::Tensor dpo_loss(const at::Tensor& implicit_margin) {
  return -at::log_sigmoid(implicit_margin);
}

at::Tensor logistic_loss(const at::Tensor& winner, const at::Tensor& loser) {
  return -at::log_sigmoid(winner - loser);
}

at::Tensor hinge_loss(const at::Tensor& winner, const at::Tensor& loser, double margin) {
  return at::relu(margin - (winner - loser));
}

}  // namespace eco::train
