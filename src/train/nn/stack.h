#pragma once
// The encoder and the decoder: a stack of Mamba (S6), S4 or Transformer layers with its last norm
// (docs/model.md, section 1).

#include <string>

#include "train/nn/policy.h"

namespace eco::train {

// x [batch, length, dim] -> [batch, length, dim]. The encoder is selective (S6) or attends to
// everything; the decoder is time-invariant (S4) or causal.
[[nodiscard]] at::Tensor encode(const Policy& policy, const at::Tensor& x);
[[nodiscard]] at::Tensor decode(const Policy& policy, const at::Tensor& x);
// A Transformer layer between its norm and the residual; `layer` is the prefix of its tensors.
[[nodiscard]] at::Tensor self_attention(const Policy& policy, const std::string& layer,
                                        const at::Tensor& x);
// The layers of the heavy decoder, which attend to everything.
[[nodiscard]] at::Tensor decode_open(const Policy& policy, const at::Tensor& x);

}  // namespace eco::train
