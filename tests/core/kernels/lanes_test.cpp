#include "core/kernels/lanes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/base/rng.h"
#include "core/kernels/gemm.h"
#include "core/kernels/row_attention.h"
#include "core/kernels/simd.h"
#include "core/kernels/ssm.h"

namespace eco {
namespace {

std::vector<float> draws(std::size_t count, Rng& rng, double low = -1, double high = 1) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.uniform(low, high));
  return values;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// What `body` makes of a vector on 8 lanes and on 16.
template <class Body>
void expect_same_bits(const std::vector<float>& before, const Body& body) {
  std::vector<float> eight = before, sixteen = before;
  {
    const simd::KeepToEight narrow;
    ASSERT_FALSE(simd::wide());
    body(eight);
  }
  body(sixteen);
  EXPECT_TRUE(same_bits(eight, sixteen));
}

class Lanes : public testing::Test {
 protected:
  void SetUp() override {
    if (!simd::wide()) GTEST_SKIP() << "this CPU, or ECO_LANES, has 8 lanes only";
  }
};

TEST_F(Lanes, KeepToEightEndsWithItsScope) {
  {
    const simd::KeepToEight outer;
    { const simd::KeepToEight inner; }
    EXPECT_FALSE(simd::wide());
  }
  EXPECT_TRUE(simd::wide());
}

TEST_F(Lanes, GemmHasTheSameBitsOnEightAndSixteen) {
  Rng rng(1);
  for (const std::size_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 25, 97}) {
    for (const std::size_t inputs : {1, 3, 28, 128}) {
      for (const std::size_t outputs : {1, 15, 16, 17, 31, 40, 64, 96, 127, 130, 200}) {
        const auto w = draws(outputs * inputs, rng), b = draws(outputs, rng),
                   x = draws(rows * (inputs + 2), rng);
        const PackedLinear linear(w, outputs, inputs, b);
        const std::size_t stride = outputs + 3;  // what lies between rows is not touched either
        const auto y = draws(rows * stride, rng);
        for (const Epilogue epilogue :
             {Epilogue::store, Epilogue::add, Epilogue::silu, Epilogue::relu, Epilogue::softplus}) {
          expect_same_bits(y, [&](std::vector<float>& out) {
            gemm(rows, x.data(), inputs + 2, linear, out.data(), stride, epilogue);
          });
        }
      }
    }
  }
}

TEST_F(Lanes, ConvolutionAndScanHaveTheSameBitsOnEightAndSixteen) {
  Rng rng(2);
  for (const std::size_t channels : {8, 16, 24, 40, 256}) {
    for (const std::size_t length : {1, 2, 19}) {
      const auto u = draws((length + 3) * channels, rng), bias = draws(channels, rng);
      const auto weight = blocked(draws(channels * kConv, rng), channels, kConv);
      for (std::size_t past = 0; past <= 3; ++past) {
        expect_same_bits(std::vector<float>(length * channels), [&](std::vector<float>& v) {
          causal_conv_silu(length, channels, u.data() + 3 * channels, past, weight.data(),
                           bias.data(), v.data());
        });
      }
      // Steps from none to so long that the state decays to nothing.
      const auto dt = draws(length * channels, rng, 0, 10), bc = draws(length * 35, rng),
                 gate = draws(length * channels, rng), skip = draws(channels, rng),
                 v = draws(length * channels, rng);
      const auto a = blocked(draws(channels * kState, rng, -20, -0.5), channels, kState);
      const ScanInput in{v.data(),    dt.data(), bc.data() + 3, 35,
                         gate.data(), a.data(),  skip.data()};
      const auto state = draws(channels * kState, rng);
      expect_same_bits(state, [&](std::vector<float>& both) {  // the state, then the outputs
        both.resize(state.size() + length * channels);
        selective_scan(length, channels, in, both.data(), both.data() + state.size());
      });
    }
  }
}

TEST_F(Lanes, AttentionOverRowsHasTheSameBitsOnEightAndSixteen) {
  Rng rng(3);
  for (const std::size_t heads : {2, 4, 8}) {
    for (const std::size_t width : {8, 16, 24, 32, 48}) {
      for (const std::size_t count : {1, 4, 6, 13}) {
        const std::size_t dim = heads * width, stride = 3 * dim, columns = 19;
        const auto q = draws(dim, rng), memory = draws(20 * stride, rng),
                   bias = draws(count * heads, rng), edges = draws(count * columns, rng);
        std::vector<std::uint32_t> rows(count);
        for (auto& row : rows) row = rng.below(20);
        expect_same_bits(std::vector<float>(dim + heads * columns), [&](std::vector<float>& out) {
          std::vector<float> weights(simd::padded(count * heads, 16));
          attend_rows(rows, heads, width, q.data(), memory.data(), memory.data() + dim, stride,
                      bias.data(), heads, weights.data(), out.data());
          sum_by_head(count, heads, weights.data(), edges.data(), columns, out.data() + dim);
        });
      }
    }
  }
}

}  // namespace
}  // namespace eco
