#include <cstring>

#include "core/kernels/lanes.h"
#include "train/ops/kernels/selective_scan_lanes.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

bool scans_wide(std::size_t channels) {
  return simd::wide() && channels % 16 == 0;
}

}  // namespace

void to_blocks(std::size_t channels, const float* rows, float* blocks) {
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t s = 0; s < kState; ++s) {
      blocks[(c / kLanes * kState + s) * kLanes + c % kLanes] = rows[c * kState + s];
    }
  }
}

void from_blocks(std::size_t channels, const float* blocks, float* rows) {
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t s = 0; s < kState; ++s) {
      rows[c * kState + s] = blocks[(c / kLanes * kState + s) * kLanes + c % kLanes];
    }
  }
}

void selective_scan(const SelectiveScan& in, float* y) {
  if (scans_wide(in.channels)) return selective_scan_wide(in, y);
  ScanLanes<F8>::forward(in, y);
}

void selective_scan_backward(const SelectiveScan& in, const SelectiveScanGradients& grad) {
  const bool wide = scans_wide(in.channels);
  std::memset(grad.carry, 0, in.channels * kState * sizeof(float));
  ChannelSums sums;
  for (std::size_t index = chunks_of(in.length); index-- > 0;) {
    const std::size_t first = index * kChunk;
    const std::size_t count = in.length - first < kChunk ? in.length - first : kChunk;
    std::memset(sums.steps, 0, count * sizeof sums.steps[0]);
    if (wide) {
      selective_scan_backward_wide(in, grad, first, count, sums);
    } else {
      ScanLanes<F8>::backward(in, grad, first, count, sums);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t s = 0; s < kState; ++s) {
        grad.b[(first + i) * grad.bc_stride + s] = simd::sum(simd::load(sums.steps[i].b[s]));
        grad.c[(first + i) * grad.bc_stride + s] = simd::sum(simd::load(sums.steps[i].c[s]));
      }
    }
  }
}

}  // namespace eco::train::kernels
