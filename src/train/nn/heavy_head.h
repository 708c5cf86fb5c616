#pragma once
// Decoder lehd of the sequential constructor.

#include "train/nn/policy.h"
#include "train/ops/ops.h"

namespace eco::train {

// As Policy::log_probabilities. `mask` is that of the batch. Steps that nothing counts of are not
// computed; with a part of each solution given (PointerBatch::given) the encoder sees the rest
// only.
[[nodiscard]] at::Tensor heavy_log_probabilities(const Policy& policy, const PointerBatch& batch,
                                                 const PointerMask& mask);

}  // namespace eco::train
