#include "train/ops/kernels/selective_scan_lanes.h"

namespace eco::train::kernels {

using Lanes = ScanLanes<simd::F16>;

void selective_scan_wide(const SelectiveScan& in, float* y) {
  Lanes::forward(in, y);
}

void selective_scan_backward_wide(const SelectiveScan& in, const SelectiveScanGradients& grad,
                                  std::size_t first, std::size_t count, ChannelSums& sums) {
  Lanes::backward(in, grad, first, count, sums);
}

}  // namespace eco::train::kernels
