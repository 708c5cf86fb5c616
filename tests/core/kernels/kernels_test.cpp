#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/rng.h"
#include "core/kernels/attention.h"
#include "core/kernels/gemm.h"
#include "core/kernels/glimpse.h"
#include "core/kernels/norm.h"
#include "core/kernels/score.h"
#include "core/kernels/simd.h"
#include "core/kernels/ssm.h"

namespace eco {
namespace {

std::vector<float> random(std::size_t count, Rng& rng, double low = -1, double high = 1) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.uniform(low, high));
  return values;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "at " << i;
  }
}

TEST(Simd, ExpAndItsRelativesAreGoodToAMillionth) {
  for (double x = -80; x < 80; x += 0.0371) {
    const simd::F8 v = simd::set(static_cast<float>(x));
    const double exact = static_cast<float>(x);
    // The argument of 2^x is rounded to a float, which costs |x| units in the last place.
    const double tolerance = 1e-6 + 1.2e-7 * std::abs(x);
    EXPECT_NEAR(simd::exp(v)[3] / std::exp(exact), 1, tolerance) << x;
    EXPECT_NEAR(simd::softplus(v)[0] / std::log1p(std::exp(exact)), 1, tolerance) << x;
    EXPECT_NEAR(simd::silu(v)[7] / (exact / (1 + std::exp(-exact))), 1, tolerance) << x;
  }
  EXPECT_EQ(simd::exp(simd::set(0))[0], 1);
  EXPECT_LT(simd::exp(simd::set(-1000))[0], 1e-37);
  EXPECT_LT(simd::exp2(simd::set(-1e30F))[0], 1e-37);
  EXPECT_EQ(simd::softplus(simd::set(90))[0], 90);
  EXPECT_NEAR(simd::silu(simd::set(-200))[0], 0, 1e-35);
}

TEST(Gemm, AgreesWithThePlainProductAtOddSizes) {
  Rng rng(1);
  for (const std::size_t rows : {1, 2, 3, 4, 5, 6, 7, 11, 13, 97}) {
    for (const std::size_t inputs : {1, 2, 8, 37, 128}) {
      for (const std::size_t outputs : {1, 2, 15, 16, 17, 40, 63, 64, 96, 130}) {
        const auto w = random(outputs * inputs, rng), b = random(outputs, rng),
                   x = random(rows * inputs, rng);
        const PackedLinear linear(w, outputs, inputs, b);
        std::vector<float> expected(rows * outputs), y(rows * outputs, 5.0F);
        plain::linear(rows, x.data(), w.data(), b.data(), outputs, inputs, expected.data());
        gemm(rows, x.data(), inputs, linear, y.data(), outputs);
        expect_near(y, expected, 1e-5);
        gemm(rows, x.data(), inputs, linear, y.data(), outputs, Epilogue::add);
        for (float& value : y) value /= 2;
        expect_near(y, expected, 1e-5);
      }
    }
  }
}

TEST(Gemm, EpiloguesAreAppliedToEveryOutput) {
  Rng rng(2);
  const std::size_t rows = 9, inputs = 20, outputs = 21;
  const auto w = random(outputs * inputs, rng), x = random(rows * inputs, rng);
  const PackedLinear linear(w, outputs, inputs, {}, 0.5F);
  std::vector<float> expected(rows * outputs), y(rows * outputs);
  plain::linear(rows, x.data(), w.data(), nullptr, outputs, inputs, expected.data());
  const auto compare = [&](Epilogue epilogue, auto function) {
    gemm(rows, x.data(), inputs, linear, y.data(), outputs, epilogue);
    std::vector<float> mapped = expected;
    for (float& value : mapped) value = static_cast<float>(function(0.5 * value));
    expect_near(y, mapped, 2e-6);
  };
  compare(Epilogue::store, [](double v) { return v; });
  compare(Epilogue::silu, [](double v) { return v / (1 + std::exp(-v)); });
  compare(Epilogue::relu, [](double v) { return std::max(v, 0.0); });
  compare(Epilogue::softplus, [](double v) { return std::log1p(std::exp(v)); });
}

TEST(Gemm, ARowDoesNotDependOnItsCompany) {
  Rng rng(3);
  const std::size_t inputs = 128, outputs = 200;
  const auto w = random(outputs * inputs, rng), x = random(50 * inputs, rng);
  const PackedLinear linear(w, outputs, inputs);
  std::vector<float> all(50 * outputs);
  gemm(50, x.data(), inputs, linear, all.data(), outputs);
  for (std::size_t rows = 1; rows <= 13; ++rows) {
    for (std::size_t first = 0; first + rows <= 50; first += 7) {
      std::vector<float> few(rows * outputs);
      gemm(rows, x.data() + first * inputs, inputs, linear, few.data(), outputs);
      EXPECT_TRUE(std::equal(few.begin(), few.end(),
                             all.begin() + static_cast<std::ptrdiff_t>(first * outputs)));
    }
  }
}

TEST(Conv, AgreesWithThePlainOneInWholeInPiecesAndStepByStep) {
  Rng rng(4);
  for (const std::size_t channels : {8, 24, 256}) {
    const std::size_t length = 23;
    const auto weight = blocked(random(channels * 4, rng), channels, 4);
    const auto bias = random(channels, rng), u = random(length * channels, rng);
    std::vector<float> expected(u.size()), whole(u.size()), pieces(u.size()), steps(u.size());
    plain::causal_conv_silu(length, channels, u.data(), 0, weight.data(), bias.data(),
                            expected.data());
    causal_conv_silu(length, channels, u.data(), 0, weight.data(), bias.data(), whole.data());
    expect_near(whole, expected, 2e-6);
    for (std::size_t at = 0, size = 1; at < length;
         at += size, size = std::min(size + 1, length - at)) {
      causal_conv_silu(size, channels, u.data() + at * channels, std::min<std::size_t>(at, 3),
                       weight.data(), bias.data(), pieces.data() + at * channels);
    }
    EXPECT_EQ(pieces, whole);
    std::vector<float> history(3 * channels, 0.0F);
    for (std::size_t t = 0; t < length; ++t) {
      conv_step_silu(channels, t, u.data() + t * channels, history.data(), weight.data(),
                     bias.data(), steps.data() + t * channels);
    }
    EXPECT_EQ(steps, whole);
  }
}

TEST(Scan, AgreesWithThePlainOneAndCarriesItsState) {
  Rng rng(5);
  for (const std::size_t channels : {8, 40, 256}) {
    const std::size_t length = 37;
    const auto v = random(length * channels, rng), dt = random(length * channels, rng, 1e-3, 0.5),
               bc = random(length * 35, rng), gate = random(length * channels, rng),
               skip = random(channels, rng);
    const auto a = blocked(random(channels * kState, rng, -20, -0.5), channels, kState);
    const ScanInput in{v.data(), dt.data(), bc.data() + 3, 35, gate.data(), a.data(), skip.data()};
    std::vector<float> expected(v.size()), y(v.size());
    std::vector<float> plain_state(channels * kState, 0.0F), state = plain_state;
    plain::selective_scan(length, channels, in, plain_state.data(), expected.data());
    const std::size_t half = 13;
    selective_scan(half, channels, in, state.data(), y.data());
    ScanInput rest = in;
    rest.v += half * channels;
    rest.dt += half * channels;
    rest.bc += half * 35;
    rest.gate += half * channels;
    selective_scan(length - half, channels, rest, state.data(), y.data() + half * channels);
    expect_near(y, expected, 1e-5);
    expect_near(state, plain_state, 1e-5);
  }
}

TEST(LtiStep, AgreesWithThePlainOneOverManySteps) {
  Rng rng(6);
  const std::size_t channels = 24;
  const auto a = random(channels * kState, rng, 0, 1), cb = random(channels * kState, rng),
             skip = random(channels, rng);
  std::vector<float> state(channels * kState, 0.0F), plain_state = state;
  for (int t = 0; t < 50; ++t) {
    const auto v = random(channels, rng), gate = random(channels, rng);
    std::vector<float> y(channels), expected(channels);
    lti_step(channels, v.data(), gate.data(), a.data(), cb.data(), skip.data(), state.data(),
             y.data());
    plain::lti_step(channels, v.data(), gate.data(), a.data(), cb.data(), skip.data(),
                    plain_state.data(), expected.data());
    expect_near(y, expected, 1e-5);
  }
}

TEST(Norm, AgreesWithThePlainOne) {
  Rng rng(7);
  for (const std::size_t dim : {8, 96, 128}) {
    const auto x = random(dim, rng), weight = random(dim, rng);
    std::vector<float> y(dim), expected(dim);
    rms_norm(dim, x.data(), weight.data(), y.data());
    plain::rms_norm(dim, x.data(), weight.data(), expected.data());
    expect_near(y, expected, 1e-6);
  }
}

TEST(Norm, RowsTogetherHaveTheBitsOfRowsAlone) {
  Rng rng(17);
  for (const std::size_t dim : {8, 64, 128}) {
    for (const std::size_t rows : {1, 8, 13, 16}) {
      const auto x = random(rows * dim, rng), weight = random(dim, rng);
      std::vector<float> y(rows * dim), alone(rows * dim), dots(rows, 0.5F);
      rms_norm_rows(rows, dim, x.data(), weight.data(), y.data());
      add_dots(rows, dim, x.data(), weight.data(), dots.data());
      for (std::size_t r = 0; r < rows; ++r) {
        rms_norm(dim, x.data() + r * dim, weight.data(), alone.data() + r * dim);
        EXPECT_EQ(dots[r], 0.5F + dot(dim, x.data() + r * dim, weight.data()));
      }
      EXPECT_EQ(y, alone);
    }
  }
}

TEST(Norm, ExponentialsAndTheirSumAgreeWithThePlainOnes) {
  Rng rng(8);
  for (std::size_t count = 1; count < 40; ++count) {
    auto values = random(count, rng, -30, 30);
    auto expected = values;
    const ExpSum without = exp_sum(values);
    const ExpSum total = exp_in_place(values), plain_total = plain::exp_in_place(expected);
    expect_near(values, expected, 5e-6);
    EXPECT_EQ(total.max, plain_total.max);
    EXPECT_NEAR(total.sum, plain_total.sum, 1e-5 * plain_total.sum);
    EXPECT_EQ(without.sum, total.sum);
  }
}

TEST(Attention, AgreesWithThePlainOneAtOddCounts) {
  Rng rng(9);
  for (const auto& [dim, heads] : {std::pair<std::size_t, std::size_t>{96, 4}, {128, 8}, {40, 4}}) {
    for (const std::size_t count : {1, 2, 7, 8, 9, 16, 33}) {
      constexpr std::size_t kQueries = 6;  // not a multiple of those that are taken together
      const auto q = random(kQueries * dim, rng, -3, 3), keys = random(count * dim, rng, -3, 3),
                 values = random(count * dim, rng);
      std::vector<float> blocked_keys(simd::padded(count) * dim), scratch(attend_scratch(count));
      for (std::size_t t = 0; t < count; ++t) {
        store_key(t, dim, keys.data() + t * dim, blocked_keys.data());
      }
      std::vector<float> out(kQueries * dim), alone(dim), expected(dim);
      const AttendedTokens tokens{count, dim, blocked_keys.data(), values.data(), dim};
      attend(kQueries, tokens, heads, q.data(), dim, scratch.data(), out.data(), dim);
      for (std::size_t i = 0; i < kQueries; ++i) {
        const std::vector<float> one(out.data() + i * dim, out.data() + (i + 1) * dim);
        plain::attend(count, dim, heads, q.data() + i * dim, keys.data(), values.data(),
                      expected.data());
        expect_near(one, expected, 1e-5);
        attend(1, tokens, heads, q.data() + i * dim, dim, scratch.data(), alone.data(), dim);
        EXPECT_EQ(one, alone) << "query " << i;
      }
    }
  }
}

TEST(Norm, OfColumnsAgreesWithThePlainOne) {
  Rng rng(12);
  for (const std::size_t rows : {1, 2, 9, 50}) {
    const std::size_t dim = 24;
    const auto weight = random(dim, rng), bias = random(dim, rng);
    auto x = random(rows * dim, rng, -4, 9), expected = x;
    column_norm(rows, dim, weight.data(), bias.data(), x.data());
    plain::column_norm(rows, dim, weight.data(), bias.data(), expected.data());
    expect_near(x, expected, 2e-5);
  }
}

TEST(Glimpse, AgreesWithAttentionOverTheSameNodes) {
  Rng rng(13);
  for (const auto& [heads, width] : {std::pair<std::size_t, std::size_t>{8, 16}, {3, 8}, {9, 24}}) {
    const std::size_t nodes = 40, dim = heads * width, stride = 3 * dim;
    const auto memory = random(nodes * stride, rng, -2, 2), q = random(dim, rng);
    for (const std::size_t count : {1, 2, 7, 33}) {
      std::vector<std::uint32_t> open;
      for (std::size_t i = 0; i < count; ++i) open.push_back(static_cast<std::uint32_t>(39 - i));
      std::vector<float> scratch(glimpse_scratch(count, heads)), out(dim), expected(dim);
      std::vector<float> bias(count * heads, 0.0F), weights(count * heads);
      const float* keys = memory.data() + dim;
      glimpse(open, heads, width, q.data(), keys, keys + dim, stride, scratch.data(), out.data());
      plain::attend_rows(open, heads, width, q.data(), keys, keys + dim, stride, bias.data(),
                         weights.data(), expected.data());
      expect_near(out, expected, 1e-5);
    }
  }
}

TEST(Glimpse, ClipsLogitsByTheHyperbolicTangent) {
  Rng rng(14);
  for (const std::size_t count : {1, 8, 13}) {
    auto logits = random(count, rng, -30, 30);
    logits[0] *= 0.01F;
    const auto before = logits;
    clip_logits(10, logits);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(logits[i], 10 * std::tanh(double{before[i]}), 1e-5) << before[i];
    }
  }
}

TEST(Score, AgreesWithThePlainOneForAnyListOfNodes) {
  Rng rng(10);
  const std::size_t nodes = 50, dim = 40;
  const auto keys = random(nodes * dim, rng), bias = random(nodes, rng), query = random(dim, rng);
  std::vector<std::uint32_t> open(nodes);
  std::iota(open.begin(), open.end(), 0U);
  while (!open.empty()) {
    std::vector<float> logits(open.size()), expected(open.size());
    score_open(open, dim, query.data(), keys.data(), bias.data(), logits.data());
    plain::score_open(open, dim, query.data(), keys.data(), bias.data(), expected.data());
    expect_near(logits, expected, 1e-5);
    open.erase(open.begin() + rng.below(static_cast<std::uint32_t>(open.size())));
  }
}

}  // namespace
}  // namespace eco
