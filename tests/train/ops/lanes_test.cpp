// The training kernels on 8 and on 16 lanes: the same bits. That they are right, ops_test.cpp says.

#include "core/kernels/lanes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/base/rng.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train {
namespace {

using Floats = std::vector<float>;

class TrainLanes : public testing::Test {
 protected:
  void SetUp() override {
    if (!simd::wide()) GTEST_SKIP() << "this CPU, or ECO_LANES, has 8 lanes only";
  }

  Floats draws(std::size_t count, double low = -1, double high = 1) {
    Floats values(count);
    for (float& value : values) value = static_cast<float>(rng_.uniform(low, high));
    return values;
  }

  // All arrays that `run` makes, on 8 lanes and on 16.
  template <class Run>
  static void expect_same_bits(const Run& run) {
    std::vector<Floats> eight;
    {
      const simd::KeepToEight narrow;
      eight = run();
    }
    const std::vector<Floats> sixteen = run();
    ASSERT_EQ(eight.size(), sixteen.size());
    for (std::size_t i = 0; i < eight.size(); ++i) {
      ASSERT_EQ(eight[i].size(), sixteen[i].size());
      const std::size_t bytes = eight[i].size() * sizeof(float);
      if (bytes == 0) continue;
      EXPECT_EQ(std::memcmp(eight[i].data(), sixteen[i].data(), bytes), 0) << "array " << i;
    }
  }

  Rng rng_{1};
};

TEST_F(TrainLanes, ConvolutionHasTheSameBits) {
  for (const std::size_t channels : {8, 16, 24, 256}) {
    for (const std::size_t length : {1, 3, 50}) {
      const std::size_t stride = 2 * channels;
      const Floats u = draws(length * stride), weight = draws(4 * channels), bias = draws(channels);
      const Floats grad_v = draws(length * channels);
      const Floats grad_weight = draws(4 * channels), grad_bias = draws(channels);
      expect_same_bits([&] {
        Floats v(length * channels), to_u(u.size()), to_weight = grad_weight, to_bias = grad_bias;
        kernels::conv_silu(length, channels, u.data(), stride, weight.data(), bias.data(),
                           v.data());
        kernels::conv_silu_backward(length, channels, u.data(), stride, weight.data(), bias.data(),
                                    grad_v.data(), to_u.data(), stride, to_weight.data(),
                                    to_bias.data());
        return std::vector<Floats>{v, to_u, to_weight, to_bias};
      });
    }
  }
}

TEST_F(TrainLanes, SelectiveScanHasTheSameBits) {
  constexpr std::size_t kState = kernels::kState;
  for (const std::size_t channels : {8, 16, 40, 256}) {
    for (const std::size_t length : {1, 32, 33, 100}) {
      const std::size_t bc = 37, wide = 2 * channels, states = channels * kState;
      const Floats v = draws(length * channels), dt = draws(length * channels, -6, 4);
      const Floats b = draws(length * bc), z = draws(length * wide), dt_bias = draws(channels);
      const Floats skip = draws(channels), a = draws(states, -16, -0.5);
      const Floats grad_y = draws(length * channels), grad_bias = draws(channels);
      const Floats grad_skip = draws(channels), grad_a = draws(states);
      expect_same_bits([&] {
        Floats starts(kernels::starts_of(length) * states), y(v.size());
        const kernels::SelectiveScan in{
            length, channels, v.data(),       dt.data(),   b.data(), b.data() + 16, z.data(),
            bc,     wide,     dt_bias.data(), skip.data(), a.data(), starts.data()};
        kernels::selective_scan(in, y.data());
        Floats to_v(v.size()), to_dt(dt.size()), to_z(z.size()), to_bc(b.size()), carry(states);
        Floats to_bias = grad_bias, to_skip = grad_skip, to_a = grad_a;
        kernels::selective_scan_backward(
            in,
            {grad_y.data(), to_v.data(), to_dt.data(), to_z.data(), to_bc.data(), to_bc.data() + 16,
             wide, bc, to_bias.data(), to_skip.data(), to_a.data(), carry.data()});
        return std::vector<Floats>{starts, y, to_v, to_dt, to_z, to_bc, to_bias, to_skip, to_a};
      });
    }
  }
}

}  // namespace
}  // namespace eco::train
