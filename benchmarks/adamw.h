#pragma once

#include <cmath>

#include "train/nn/policy.h"

namespace eco::times {

// The optimiser's share of a step: one pass over values, gradient and two moments.
class AdamW {
 public:
  explicit AdamW(const train::Policy& policy)
      : first_(at::zeros_like(policy.flat())), second_(at::zeros_like(policy.flat())) {}
  void step(const train::Policy& policy, const at::Tensor& gradient) {
    float *value = policy.flat().data_ptr<float>(), *m = first_.data_ptr<float>(),
          *v = second_.data_ptr<float>();
    const float* g = gradient.data_ptr<float>();
    for (std::int64_t i = 0; i < gradient.numel(); ++i) {
      m[i] = 0.9F * m[i] + 0.1F * g[i];
      v[i] = 0.999F * v[i] + 0.001F * g[i] * g[i];
      value[i] -= 1e-6F * (m[i] / (std::sqrt(v[i]) + 1e-8F) + 0.01F * value[i]);
    }
  }

 private:
  at::Tensor first_, second_;
};

}  // namespace eco::times
