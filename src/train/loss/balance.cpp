#include "train/loss/balance.h"

namespace eco::train {

at::Tensor balance_loss(const at::Tensor& log_probability, const at::Tensor& energy,
                        const at::Tensor& there, const at::Tensor& written, double local) {
  const at::Tensor steps = there.sum(2);
  const at::Tensor each = log_probability + energy;  // [pools, solutions, steps]
  const at::Tensor whole = each.sum(2) - written;
  // The means stand for Z and F: constants, so that no gradient goes through them.
  const at::Tensor left_whole = whole - whole.mean(1, /*keepdim=*/true).detach();
  const at::Tensor mean_step =
      (each.sum(1, /*keepdim=*/true) / at::clamp_min(there.sum(1, /*keepdim=*/true), 1)).detach();
  const at::Tensor left_step = (each - mean_step) * there;
  return ((1 - local) * left_whole.square() + local * left_step.square().sum(2)) / steps;
}

}  // namespace eco::train
