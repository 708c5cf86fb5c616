#pragma once
// The encoder and the decoder: a stack of Mamba (S6), S4 or Transformer layers with its last norm
// (docs/model.md, section 1).

#include <string>

#include "train/nn/policy.h"

namespace eco::train {

// x [batch, length, dim] -> [batch, length, dim]. `hilbert` [batch, length] is read by the encoder
// when config.scan is alternate. The encoder is selective (S6) or attends to everything; the
// decoder is time-invariant (S4) or causal.
[[nodiscard]] at::Tensor encode(const Policy& policy, const at::Tensor& x,
                                const at::Tensor& hilbert);
[[nodiscard]] at::Tensor decode(const Policy& policy, const at::Tensor& x);

// rows[b, index[b, ...]]: rows [batch, length, dim], index [batch, ...] long -> [batch, ..., dim].
[[nodiscard]] at::Tensor gather_rows(const at::Tensor& rows, const at::Tensor& index);

}  // namespace eco::train
