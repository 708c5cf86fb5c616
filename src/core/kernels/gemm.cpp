#include "core/kernels/gemm.h"

#include <cassert>

#include "core/kernels/gemm_tiles.h"
#include "core/kernels/lanes.h"

namespace eco {

PackedLinear::PackedLinear(std::span<const float> weight, std::size_t outputs, std::size_t inputs,
                           std::span<const float> bias, float scale)
    : outputs_(outputs), inputs_(inputs) {
  assert(weight.size() == outputs * inputs && (bias.empty() || bias.size() == outputs));
  weight_ = AlignedBuffer<float>(panels() * kPanel * inputs);
  bias_ = AlignedBuffer<float>(panels() * kPanel);
  for (std::size_t o = 0; o < outputs; ++o) {
    float* to = weight_.data() + (o / kPanel) * kPanel * inputs + o % kPanel;
    for (std::size_t i = 0; i < inputs; ++i) to[i * kPanel] = weight[o * inputs + i] * scale;
    if (!bias.empty()) bias_.data()[o] = bias[o] * scale;
  }
}

void gemm(std::size_t rows, const float* x, std::size_t x_stride, const PackedLinear& linear,
          float* y, std::size_t y_stride, Epilogue epilogue) {
  if (rows == 0) return;
  const GemmOperands operands{x,        x_stride,        linear.panel(0),  linear.bias(),  y,
                              y_stride, linear.inputs(), linear.outputs(), linear.panels()};
  if (simd::wide()) return gemm_wide(rows, operands, epilogue);
  GemmTiles<simd::F8>::run(rows, operands, epilogue);
}

namespace plain {

void linear(std::size_t rows, const float* x, const float* weight, const float* bias,
            std::size_t outputs, std::size_t inputs, float* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < outputs; ++o) {
      double sum = bias != nullptr ? bias[o] : 0.0;
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += double{weight[o * inputs + i]} * x[r * inputs + i];
      }
      y[r * outputs + o] = static_cast<float>(sum);
    }
  }
}

}  // namespace plain

}  // namespace eco
