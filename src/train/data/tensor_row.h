#pragma once
// The storage of one row, for code that fills a batch item by item.

#include <cstddef>
#include <cstdint>

#include "train/torch.h"

namespace eco::train {

// First element of tensor[i]; T is the tensor's element type.
template <class T>
T* row(const at::Tensor& tensor, std::size_t i) {
  return tensor.data_ptr<T>() + static_cast<std::int64_t>(i) * tensor.stride(0);
}

}  // namespace eco::train
