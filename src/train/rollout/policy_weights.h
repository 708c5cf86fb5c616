#pragma once
// The bridge between the policy that is trained and the weights that the engine and the files use.

#include "core/model/weights.h"
#include "train/nn/policy.h"

namespace eco::train {

[[nodiscard]] Weights to_weights(const Policy& policy);

// The policy may have more encoder layers than the weights: those stay as they were drawn but for
// what they add to the residual stream, which is nothing, so that the deeper policy begins as the
// shallow one ended. Throws eco::Error (input) naming the first other switch in which the two
// models differ.
void set_weights(Policy& policy, const Weights& weights);

}  // namespace eco::train
