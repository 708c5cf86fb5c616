#pragma once
// The bridge between the policy that is trained and the weights that the engine and the files use.

#include "core/model/weights.h"
#include "train/nn/policy.h"

namespace eco::train {

[[nodiscard]] Weights to_weights(const Policy& policy);

// Throws eco::Error (input) naming the first switch in which the two models differ.
void set_weights(Policy& policy, const Weights& weights);

}  // namespace eco::train
