// Attention within many small sets, one after the other.

#include <cstring>
#include <vector>

#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/set_head.h"

namespace eco::train::kernels {

void set_attention(std::size_t sets, std::size_t k, std::size_t heads, std::size_t width,
                   const float* qkv, const std::int32_t* count, float* y) {
  SetHead head(k, heads, width);
  std::vector<float> weights(SetHead::weights_size(k));
  for (std::size_t set = 0; set < sets; ++set) {
    const auto members = static_cast<std::size_t>(count[set]);
    float* out = y + set * k * heads * width;
    std::memset(out + members * heads * width, 0, (k - members) * heads * width * sizeof(float));
    for (std::size_t h = 0; h < heads; ++h) {
      head.move_to(qkv + set * k * 3 * heads * width + h * width, members);
      head.attend(weights.data());
      head.mix(weights.data(), out + h * width);
    }
  }
}

void set_attention_backward(std::size_t sets, std::size_t k, std::size_t heads, std::size_t width,
                            const float* qkv, const std::int32_t* count, const float* grad_y,
                            float* grad_qkv) {
  SetHead head(k, heads, width);
  std::vector<float> weights(SetHead::weights_size(k));
  const std::size_t row = 3 * heads * width;
  for (std::size_t set = 0; set < sets; ++set) {
    const auto members = static_cast<std::size_t>(count[set]);
    float* grad = grad_qkv + set * k * row;
    std::memset(grad + members * row, 0, (k - members) * row * sizeof(float));
    for (std::size_t h = 0; h < heads; ++h) {
      head.move_to(qkv + set * k * row + h * width, members);
      head.attend(weights.data());
      head.backward(weights.data(), grad_y + set * k * heads * width + h * width, grad + h * width);
    }
  }
}

}  // namespace eco::train::kernels
