#include "train/rollout/policy_weights.h"

#include <algorithm>

#include "core/base/error.h"

namespace eco::train {

Weights to_weights(const Policy& policy) {
  Weights weights(policy.config());
  const float* from = policy.flat().data_ptr<float>();
  for (const TensorSpec& spec : policy.specs()) {
    const auto to = weights.tensor(spec.name);
    std::copy(from, from + to.size(), to.begin());
    from += to.size();
  }
  return weights;
}

void set_weights(Policy& policy, const Weights& weights) {
  const auto saved = to_fields(weights.config());
  for (const auto& [key, value] : to_fields(policy.config())) {
    if (saved.at(key) == value) continue;
    throw Error(ErrorKind::input, "the weights are of another model: " + key + " is " +
                                      saved.at(key) + ", the config says " + value);
  }
  float* to = policy.flat().data_ptr<float>();
  for (const TensorSpec& spec : policy.specs()) {
    const auto from = weights.tensor(spec.name);
    to = std::copy(from.begin(), from.end(), to);
  }
}

}  // namespace eco::train
