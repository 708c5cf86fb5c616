#pragma once
// Rows of numbers as tensors of doubles.

#include <vector>

#include "train/torch.h"

namespace eco::train {

inline at::Tensor row(const std::vector<double>& values) {
  return at::tensor(values, at::kDouble);
}

inline at::Tensor leaf(const std::vector<double>& values) {
  return row(values).requires_grad_();
}

}  // namespace eco::train
