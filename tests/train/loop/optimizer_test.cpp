#include "train/loop/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace eco::train {
namespace {

// Adam as Kingma and Ba write it, in double precision, one parameter at a time.
struct PlainAdam {
  double m = 0, v = 0;
  int t = 0;
  double step(double value, double gradient, double rate, double decay) {
    ++t;
    m = 0.9 * m + 0.1 * gradient;
    v = 0.999 * v + 0.001 * gradient * gradient;
    const double mean = m / (1 - std::pow(0.9, t)), square = v / (1 - std::pow(0.999, t));
    return value - rate * mean / (std::sqrt(square) + 1e-8) - rate * decay * value;
  }
};

TEST(Optimizer, FollowsTheFormulaWithAndWithoutDecay) {
  OptimizerConfig config;
  config.weight_decay = 0.1;
  Optimizer optimizer(config, {1, 0});
  PlainAdam decayed, free;
  std::vector<float> values = {1.0F, 1.0F};
  double first = 1, second = 1;
  for (int i = 0; i < 50; ++i) {
    const std::vector<float> gradient = {std::sin(0.3F * static_cast<float>(i)), 0.01F};
    optimizer.update(values, gradient, 0.01);
    first = decayed.step(first, gradient[0], 0.01, 0.1);
    second = free.step(second, gradient[1], 0.01, 0);
  }
  EXPECT_NEAR(values[0], first, 1e-5);
  EXPECT_NEAR(values[1], second, 1e-5);
  EXPECT_EQ(optimizer.state().steps, 50U);
}

TEST(Optimizer, AdamHasNoDecay) {
  OptimizerConfig config;
  config.kind = OptimizerKind::adam;
  Optimizer optimizer(config, {1});
  std::vector<float> values = {3.0F};
  optimizer.update(values, std::vector<float>{0.0F}, 0.1);
  EXPECT_EQ(values[0], 3.0F);
}

TEST(Optimizer, GoesOnFromARestoredStateToTheSameBits) {
  const OptimizerConfig config;
  const auto run = [&](bool restart) {
    auto optimizer = std::make_unique<Optimizer>(config, std::vector<std::uint8_t>{1, 1, 0});
    std::vector<float> values = {1, -2, 3};
    for (int i = 0; i < 20; ++i) {
      if (restart && i == 9) {
        auto again = std::make_unique<Optimizer>(config, std::vector<std::uint8_t>{1, 1, 0});
        again->restore(optimizer->state());
        optimizer = std::move(again);
      }
      const std::vector<float> gradient = {values[0] * 2, std::cos(values[1]), values[2]};
      optimizer->update(values, gradient, 0.05);
    }
    return values;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(LearningRate, WarmsUpAndFollowsTheCosine) {
  OptimizerConfig config;
  config.rate = 2;
  config.warmup = 10;
  config.final_share = 0.1;
  config.schedule = Schedule::cosine;
  EXPECT_DOUBLE_EQ(learning_rate(config, 0, 0), 0.2);
  EXPECT_DOUBLE_EQ(learning_rate(config, 4, 0), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(config, 100, 0), 2.0);
  EXPECT_DOUBLE_EQ(learning_rate(config, 100, 0.5), 1.1);
  EXPECT_DOUBLE_EQ(learning_rate(config, 100, 1), 0.2);
  config.schedule = Schedule::constant;
  EXPECT_DOUBLE_EQ(learning_rate(config, 100, 0.5), 2.0);
}

TEST(ClipGradient, ScalesToTheNormAndTellsWhatItWas) {
  std::vector<float> gradient = {3, 4};
  EXPECT_DOUBLE_EQ(clip_gradient(gradient, 10), 5);
  EXPECT_EQ(gradient, (std::vector<float>{3, 4}));
  EXPECT_DOUBLE_EQ(clip_gradient(gradient, 0), 5);
  EXPECT_DOUBLE_EQ(clip_gradient(gradient, 1), 5);
  EXPECT_NEAR(gradient[0], 0.6, 1e-6);
  EXPECT_NEAR(gradient[1], 0.8, 1e-6);
}

}  // namespace
}  // namespace eco::train
