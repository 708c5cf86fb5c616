#include "train/loss/policy_gradient.h"

namespace eco::train {

at::Tensor ppo_loss(const at::Tensor& now, const at::Tensor& before, const at::Tensor& advantage,
                    double clip) {
  const at::Tensor ratio = at::exp(now - before);
  const at::Tensor gain = advantage.unsqueeze(-1);
  return -at::minimum(ratio * gain, at::clamp(ratio, 1 - clip, 1 + clip) * gain);
}

at::Tensor reinforce_loss(const at::Tensor& log_probability, const at::Tensor& advantage) {
  return -advantage * log_probability;
}

}  // namespace eco::train
