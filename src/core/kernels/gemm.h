#pragma once
// y = W x for many rows x at once, with W packed once. Weights lie in panels of 16 outputs,
// [panel][input][16], so that the inner loop reads them front to back.
//
// Every output is accumulated over the inputs first to last by fused multiply-adds, whatever the
// height of the register tile: a row's result does not depend on the rows that it is batched with.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/aligned_buffer.h"

namespace eco {

class PackedLinear {
 public:
  static constexpr std::size_t kPanel = 16;

  PackedLinear() = default;
  // weight [outputs, inputs] row-major; bias [outputs] or empty. `scale` multiplies both.
  PackedLinear(std::span<const float> weight, std::size_t outputs, std::size_t inputs,
               std::span<const float> bias = {}, float scale = 1.0F);

  [[nodiscard]] std::size_t outputs() const { return outputs_; }
  [[nodiscard]] std::size_t inputs() const { return inputs_; }
  [[nodiscard]] std::size_t panels() const { return (outputs_ + kPanel - 1) / kPanel; }
  [[nodiscard]] const float* panel(std::size_t i) const {
    return weight_.data() + i * kPanel * inputs_;
  }
  [[nodiscard]] const float* bias() const { return bias_.data(); }  // [panels * 16], never null

 private:
  AlignedBuffer<float> weight_, bias_;
  std::size_t outputs_ = 0, inputs_ = 0;
};

// What happens to W x + b on its way to memory.
enum class Epilogue : std::uint8_t { store, add, silu, relu, softplus };

// y[r, :] = epilogue(W x[r, :] + b), r < rows. `x_stride`, `y_stride`: floats from row to row.
void gemm(std::size_t rows, const float* x, std::size_t x_stride, const PackedLinear& linear,
          float* y, std::size_t y_stride, Epilogue epilogue = Epilogue::store);

namespace plain {
// weight [outputs, inputs], bias [outputs] or null; x, y contiguous.
void linear(std::size_t rows, const float* x, const float* weight, const float* bias,
            std::size_t outputs, std::size_t inputs, float* y);
}  // namespace plain

}  // namespace eco
