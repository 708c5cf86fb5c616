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
  const bool grows = weights.config().encoder_layers < policy.config().encoder_layers &&
                     policy.config().norm == Norm::rms;  // any other layer changes what it adds to
  for (const auto& [key, value] : to_fields(policy.config())) {
    if (saved.at(key) == value || (grows && key == "encoder_layers")) continue;
    throw Error(ErrorKind::input, "the weights are of another model: " + key + " is " +
                                      saved.at(key) + ", the config says " + value);
  }
  float* to = policy.flat().data_ptr<float>();
  for (const TensorSpec& spec : policy.specs()) {
    if (weights.has(spec.name)) {
      const auto from = weights.tensor(spec.name);
      std::copy(from.begin(), from.end(), to);
    } else if (spec.init == Init::residual) {
      std::fill_n(to, spec.elements(), 0.0F);  // a new layer adds nothing at first
    }
    to += spec.elements();
  }
}

}  // namespace eco::train
