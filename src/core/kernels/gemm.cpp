#include "core/kernels/gemm.h"

#include <algorithm>
#include <cassert>

#include "core/kernels/simd.h"

namespace eco {

namespace {

using simd::F8;
constexpr std::size_t kPanel = PackedLinear::kPanel;

template <Epilogue epilogue>
F8 finish(F8 value, const float* y) {
  if constexpr (epilogue == Epilogue::add) return value + simd::load(y);
  if constexpr (epilogue == Epilogue::silu) return simd::silu(value);
  if constexpr (epilogue == Epilogue::relu) return simd::max(value, F8{});
  if constexpr (epilogue == Epilogue::softplus) return simd::softplus(value);
  return value;
}

struct Operands {
  const float* x;
  std::size_t x_stride;
  const float* weight;  // first panel
  const float* bias;
  float* y;
  std::size_t y_stride;
  std::size_t inputs;
  std::size_t columns;  // valid outputs from the first panel on
};

// Rows x (16 * Panels) outputs in registers.
template <std::size_t Rows, std::size_t Panels, Epilogue epilogue>
void tile(const Operands& o) {
  constexpr std::size_t kVectors = 2 * Panels;
  F8 acc[Rows][kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    const F8 bias = simd::load(o.bias + 8 * v);
    for (std::size_t r = 0; r < Rows; ++r) acc[r][v] = bias;
  }
  const float* w = o.weight;
  const float* x = o.x;
  for (std::size_t k = 0; k < o.inputs; ++k, w += kPanel, ++x) {
    F8 column[kVectors];
    for (std::size_t p = 0; p < Panels; ++p) {
      column[2 * p] = simd::load(w + p * kPanel * o.inputs);
      column[2 * p + 1] = simd::load(w + p * kPanel * o.inputs + 8);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      const F8 value = simd::set(x[r * o.x_stride]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        acc[r][v] = simd::fma(value, column[v], acc[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    float* y = o.y + r * o.y_stride;
    if (o.columns >= kPanel * Panels) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        simd::store(y + 8 * v, finish<epilogue>(acc[r][v], y + 8 * v));
      }
    } else {
      float edge[kPanel * Panels] = {};
      std::copy_n(y, o.columns, edge);
      for (std::size_t v = 0; v < kVectors; ++v) {
        simd::store(edge + 8 * v, finish<epilogue>(acc[r][v], edge + 8 * v));
      }
      std::copy_n(edge, o.columns, y);
    }
  }
}

Operands at(const Operands& base, std::size_t row, std::size_t panel) {
  Operands o = base;
  o.x += row * o.x_stride;
  o.weight += panel * kPanel * o.inputs;
  o.bias += panel * kPanel;
  o.y += row * o.y_stride + panel * kPanel;
  o.columns -= panel * kPanel;
  return o;
}

// Few rows: there are not enough rows to hide the latency of an addition behind, so several panels
// go side by side.
template <std::size_t Rows, std::size_t Panels, Epilogue epilogue>
void few_rows(const Operands& base, std::size_t panels) {
  std::size_t panel = 0;
  for (; panel + Panels <= panels; panel += Panels) {
    tile<Rows, Panels, epilogue>(at(base, 0, panel));
  }
  for (; panel < panels; ++panel) tile<Rows, 1, epilogue>(at(base, 0, panel));
}

template <Epilogue epilogue>
void tile_of(std::size_t rows, const Operands& o) {
  switch (rows) {
    case 6:
      return tile<6, 1, epilogue>(o);
    case 5:
      return tile<5, 1, epilogue>(o);
    case 4:
      return tile<4, 1, epilogue>(o);
    default:  // 4 rows or more make tiles of at least 3
      return tile<3, 1, epilogue>(o);
  }
}

template <Epilogue epilogue>
void run(std::size_t rows, const Operands& base, std::size_t panels) {
  constexpr std::size_t kTall = 6;
  switch (rows) {
    case 1:
      return few_rows<1, 4, epilogue>(base, panels);
    case 2:
      return few_rows<2, 2, epilogue>(base, panels);
    case 3:
      return few_rows<3, 2, epilogue>(base, panels);
    default:
      break;
  }
  // Tiles of nearly equal height: 8 rows are 4 + 4, not 6 + 2.
  const std::size_t tiles = (rows + kTall - 1) / kTall;
  const std::size_t height = rows / tiles, taller = rows % tiles;
  for (std::size_t panel = 0; panel < panels; ++panel) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < tiles; ++i) {
      const std::size_t here = i < taller ? height + 1 : height;
      tile_of<epilogue>(here, at(base, row, panel));
      row += here;
    }
  }
}

}  // namespace

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
  const Operands base{x, x_stride, linear.panel(0), linear.bias(),
                      y, y_stride, linear.inputs(), linear.outputs()};
  const std::size_t panels = linear.panels();
  switch (epilogue) {
    case Epilogue::store:
      return run<Epilogue::store>(rows, base, panels);
    case Epilogue::add:
      return run<Epilogue::add>(rows, base, panels);
    case Epilogue::silu:
      return run<Epilogue::silu>(rows, base, panels);
    case Epilogue::relu:
      return run<Epilogue::relu>(rows, base, panels);
    case Epilogue::softplus:
      return run<Epilogue::softplus>(rows, base, panels);
  }
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
