#pragma once
// The register tiles of gemm, for vectors V of 8 floats or (in wide/) of 16. An output is the same
// chain of operations in both, so that it has the same bits.

#include "core/kernels/gemm.h"
#include "core/kernels/simd.h"

namespace eco {

struct GemmOperands {
  const float* x;
  std::size_t x_stride;
  const float* weight;  // first panel
  const float* bias;
  float* y;
  std::size_t y_stride;
  std::size_t inputs;
  std::size_t columns;  // valid outputs from the first panel on
  std::size_t panels;
};

template <class V>
class GemmTiles {
 public:
  static void run(std::size_t rows, const GemmOperands& o, Epilogue epilogue) {
    switch (epilogue) {
      case Epilogue::store:
        return run<Epilogue::store>(rows, o);
      case Epilogue::add:
        return run<Epilogue::add>(rows, o);
      case Epilogue::silu:
        return run<Epilogue::silu>(rows, o);
      case Epilogue::relu:
        return run<Epilogue::relu>(rows, o);
      case Epilogue::softplus:
        return run<Epilogue::softplus>(rows, o);
    }
  }

 private:
  static constexpr std::size_t kPanel = PackedLinear::kPanel, kLanes = simd::lanes<V>;
  static constexpr std::size_t kEach = kPanel / kLanes;  // vectors of a panel
  static constexpr bool kWide = kEach == 1;              // there are twice as many registers, too

  template <Epilogue epilogue>
  static void run(std::size_t rows, const GemmOperands& o) {
    switch (rows) {
      case 1:
        return few_rows < 1, kWide ? 8 : 4, epilogue > (o);
      case 2:
        return few_rows < 2, kWide ? 4 : 2, epilogue > (o);
      case 3:
        return few_rows < 3, kWide ? 4 : 2, epilogue > (o);
      default:
        return many_rows < kWide ? 4 : 1, epilogue > (rows, o);
    }
  }

  // From `panel` on. There are not enough rows to hide the latency of an addition behind, so
  // several panels go side by side.
  template <std::size_t Rows, std::size_t Panels, Epilogue epilogue>
  static void few_rows(const GemmOperands& o, std::size_t panel = 0) {
    for (; panel + Panels <= o.panels; panel += Panels) {
      tile<Rows, Panels, epilogue>(at(o, 0, panel));
    }
    if constexpr (Panels > 1) few_rows<Rows, Panels / 2, epilogue>(o, panel);
  }

  // Tiles of nearly equal height: 8 rows are 4 + 4, not 6 + 2.
  template <std::size_t Panels, Epilogue epilogue>
  static void many_rows(std::size_t rows, const GemmOperands& o, std::size_t panel = 0) {
    constexpr std::size_t kTall = 6;
    const std::size_t tiles = (rows + kTall - 1) / kTall;
    const std::size_t height = rows / tiles, taller = rows % tiles;
    for (; panel + Panels <= o.panels; panel += Panels) {
      std::size_t row = 0;
      for (std::size_t i = 0; i < tiles; ++i) {
        const std::size_t here = i < taller ? height + 1 : height;
        tile_of<Panels, epilogue>(here, at(o, row, panel));
        row += here;
      }
    }
    if constexpr (Panels > 1) many_rows<Panels / 2, epilogue>(rows, o, panel);
  }

  template <std::size_t Panels, Epilogue epilogue>
  static void tile_of(std::size_t rows, const GemmOperands& o) {
    switch (rows) {
      case 6:
        return tile<6, Panels, epilogue>(o);
      case 5:
        return tile<5, Panels, epilogue>(o);
      case 4:
        return tile<4, Panels, epilogue>(o);
      default:  // 4 rows or more make tiles of at least 3
        return tile<3, Panels, epilogue>(o);
    }
  }

  static GemmOperands at(const GemmOperands& base, std::size_t row, std::size_t panel) {
    GemmOperands o = base;
    o.x += row * o.x_stride;
    o.weight += panel * kPanel * o.inputs;
    o.bias += panel * kPanel;
    o.y += row * o.y_stride + panel * kPanel;
    o.columns -= panel * kPanel;
    return o;
  }

  // Rows x (16 * Panels) outputs in registers.
  template <std::size_t Rows, std::size_t Panels, Epilogue epilogue>
  static void tile(const GemmOperands& o) {
    constexpr std::size_t kVectors = kEach * Panels;
    V acc[Rows][kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V bias = simd::load<V>(o.bias + kLanes * v);
      for (std::size_t r = 0; r < Rows; ++r) acc[r][v] = bias;
    }
    const float* w = o.weight;
    const float* x = o.x;
    for (std::size_t k = 0; k < o.inputs; ++k, w += kPanel, ++x) {
      V column[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) {
        column[v] = simd::load<V>(w + v / kEach * kPanel * o.inputs + v % kEach * kLanes);
      }
      for (std::size_t r = 0; r < Rows; ++r) {
        const V value = simd::set<V>(x[r * o.x_stride]);
        for (std::size_t v = 0; v < kVectors; ++v) {
          acc[r][v] = simd::fma(value, column[v], acc[r][v]);
        }
      }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      float* y = o.y + r * o.y_stride;
      if (o.columns >= kPanel * Panels) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          simd::store(y + kLanes * v, finish<epilogue>(acc[r][v], y + kLanes * v));
        }
      } else {
        float edge[kPanel * Panels] = {};
        std::memcpy(edge, y, o.columns * sizeof(float));
        for (std::size_t v = 0; v < kVectors; ++v) {
          simd::store(edge + kLanes * v, finish<epilogue>(acc[r][v], edge + kLanes * v));
        }
        std::memcpy(y, edge, o.columns * sizeof(float));
      }
    }
  }

  template <Epilogue epilogue>
  static V finish(V value, const float* y) {
    if constexpr (epilogue == Epilogue::add) return value + simd::load<V>(y);
    if constexpr (epilogue == Epilogue::silu) return simd::silu(value);
    if constexpr (epilogue == Epilogue::relu) return simd::max(value, V{});
    if constexpr (epilogue == Epilogue::softplus) return simd::softplus(value);
    return value;
  }
};

// wide/gemm.cpp
void gemm_wide(std::size_t rows, const GemmOperands& operands, Epilogue epilogue);

}  // namespace eco
