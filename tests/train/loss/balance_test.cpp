#include "train/loss/balance.h"

#include <gtest/gtest.h>

#include <vector>

#include "train/loss/rows.h"

namespace eco::train {
namespace {

// One pool of three solutions, the last of which is a step shorter.
struct BalanceCase {
  at::Tensor there = row({1, 1, 1, 1, 1, 1, 1, 1, 0}).view({1, 3, 3});
  at::Tensor log_probability = row({-0.3, -1.2, 0, -0.9, -0.1, -2, -0.4, -0.6, 0}).view({1, 3, 3});
  at::Tensor energy = row({2, 1, 1.5, 2.5, 0.5, 3, 1, 4, 0}).view({1, 3, 3});
  at::Tensor written = row({-0.7, 0, -1.1}).view({1, 3});
};

TEST(Balance, IsTheSquareOfWhatIsLeftOfStepsAndSolutions) {
  const BalanceCase c;
  const double local = 0.3;
  const at::Tensor loss = balance_loss(c.log_probability, c.energy, c.there, c.written, local);
  const auto at = [&](const at::Tensor& values, int s, int t) {
    return values[0][s][t].item<double>();
  };
  const int steps[] = {3, 3, 2};
  double whole[3] = {}, mean = 0;
  for (int s = 0; s < 3; ++s) {
    for (int t = 0; t < steps[s]; ++t) whole[s] += at(c.log_probability, s, t) + at(c.energy, s, t);
    whole[s] -= c.written[0][s].item<double>();
    mean += whole[s] / 3;
  }
  for (int s = 0; s < 3; ++s) {
    double squares = 0;
    for (int t = 0; t < steps[s]; ++t) {
      double of_step = 0, count = 0;
      for (int other = 0; other < 3; ++other) {
        if (t >= steps[other]) continue;
        of_step += at(c.log_probability, other, t) + at(c.energy, other, t);
        ++count;
      }
      const double left = at(c.log_probability, s, t) + at(c.energy, s, t) - of_step / count;
      squares += left * left;
    }
    const double expected =
        ((1 - local) * (whole[s] - mean) * (whole[s] - mean) + local * squares) / steps[s];
    EXPECT_NEAR(loss[0][s].item<double>(), expected, 1e-12);
  }
}

// A policy that samples in proportion to exp(-energy) / ways is balanced: no loss, no gradient.
TEST(Balance, APolicyInProportionToTheRewardHasNothingLeft) {
  const BalanceCase c;
  const at::Tensor whole = c.log_probability.sum(2) + c.energy.sum(2) - c.written;
  at::Tensor balanced = c.log_probability.clone();
  for (int s = 0; s < 3; ++s) balanced[0][s][0] -= whole[0][s] + 5;  // Z is any constant
  balanced.requires_grad_();
  const at::Tensor loss = balance_loss(balanced, c.energy, c.there, c.written, 0);
  EXPECT_NEAR(loss.abs().max().item<double>(), 0, 1e-12);
  const auto gradient = torch::autograd::grad({loss.sum()}, {balanced})[0];
  EXPECT_NEAR(gradient.abs().max().item<double>(), 0, 1e-12);
}

TEST(Balance, TheGradientRaisesWhatIsTooUnlikely) {
  BalanceCase c;
  c.log_probability.requires_grad_();
  const at::Tensor loss = balance_loss(c.log_probability, c.energy, c.there, c.written, 0);
  const auto gradient = torch::autograd::grad({loss.sum()}, {c.log_probability})[0];
  const at::Tensor whole = (c.log_probability.detach() + c.energy).sum(2) - c.written;
  for (int s = 0; s < 3; ++s) {
    const double left = (whole[0][s] - whole.mean()).item<double>();
    EXPECT_GT(left * gradient[0][s][0].item<double>(), 0) << s;  // downhill is towards balance
  }
}

}  // namespace
}  // namespace eco::train
