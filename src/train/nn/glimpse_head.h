#pragma once
// Decoders am and pomo of the sequential constructor.

#include "train/nn/policy.h"
#include "train/ops/ops.h"

namespace eco::train {

// As Policy::log_probabilities. `mask` is that of the batch.
[[nodiscard]] at::Tensor glimpse_log_probabilities(const Policy& policy, const PointerBatch& batch,
                                                   const PointerMask& mask);

}  // namespace eco::train
