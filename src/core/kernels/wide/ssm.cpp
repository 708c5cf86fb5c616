#include "core/kernels/ssm_lanes.h"

namespace eco {

using Lanes = SsmLanes<simd::F16>;

void causal_conv_silu_wide(std::size_t length, std::size_t channels, std::size_t end,
                           const ConvInput& in, float* v) {
  Lanes::causal_conv_silu(length, channels, 0, end, in, v);
}

void selective_scan_wide(std::size_t length, std::size_t channels, std::size_t end,
                         const ScanInput& in, float* state, float* y) {
  Lanes::selective_scan(length, channels, 0, end, in, state, y);
}

}  // namespace eco
