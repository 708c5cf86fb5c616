#include "train/loss/preference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "train/loss/policy_gradient.h"
#include "train/loss/rows.h"

namespace eco::train {
namespace {

TEST(Dpo, AtTheReferenceTheLossIsLogTwo) {
  const at::Tensor winner = row({-31.5, -2, -700}), loser = row({-30, -9, -1});
  const at::Tensor margin = implicit_margin(winner, loser, winner, loser, 0.3);
  const at::Tensor loss = dpo_loss(0.3)->loss(margin);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(loss[i].item<double>(), std::log(2.0));
}

TEST(Ranking, LogisticAndHingeHaveNoReference) {
  const at::Tensor winner = row({-1, -3, -2}), loser = row({-2, -2, -2});
  const at::Tensor logistic = logistic_ranking()->loss(winner - loser);
  EXPECT_NEAR(logistic[0].item<double>(), std::log1p(std::exp(-1.0)), 1e-12);
  EXPECT_NEAR(logistic[2].item<double>(), std::log(2.0), 1e-12);
  const at::Tensor hinge = hinge_ranking(0.5)->loss(winner - loser);
  EXPECT_DOUBLE_EQ(hinge[0].item<double>(), 0);
  EXPECT_DOUBLE_EQ(hinge[1].item<double>(), 1.5);
  EXPECT_DOUBLE_EQ(hinge[2].item<double>(), 0.5);
}

// Merging takes the loss of one pair at a time, with its slope.
TEST(MarginLoss, OfOnePairIsThatOfTheTensorWithItsDerivative) {
  std::vector<std::unique_ptr<MarginLoss>> losses;
  losses.push_back(dpo_loss(0.3));
  losses.push_back(logistic_ranking());
  losses.push_back(hinge_ranking(0.5));
  for (const auto& loss : losses) {
    for (const double margin : {-40.0, -2.0, -0.1, 0.0, 0.3, 5.0, 60.0}) {
      const at::Tensor at = leaf({margin});
      const at::Tensor value = loss->loss(at);
      const double slope = torch::autograd::grad({value.sum()}, {at})[0].item<double>();
      EXPECT_NEAR(loss->at(margin).loss, value.item<double>(), 1e-12);
      EXPECT_NEAR(loss->at(margin).slope, slope, 1e-12);
    }
  }
}

TEST(Ppo, StopsPushingOutsideTheClip) {
  const at::Tensor before = row({-1, -1, -1, -1}).view({2, 2});
  const at::Tensor now = row({-1, -0.2, -1, -0.2}).view({2, 2}).requires_grad_();
  const at::Tensor advantage = row({1, -1});
  const auto gradient =
      torch::autograd::grad({ppo_loss(now, before, advantage, 0.2).sum()}, {now})[0];
  EXPECT_DOUBLE_EQ(gradient[0][0].item<double>(), -1);  // ratio 1: the plain policy gradient
  EXPECT_DOUBLE_EQ(gradient[0][1].item<double>(), 0);   // good and already far more likely
  EXPECT_DOUBLE_EQ(gradient[1][0].item<double>(), 1);
  EXPECT_NEAR(gradient[1][1].item<double>(), std::exp(0.8), 1e-12);  // bad: still pushed down
}

TEST(Reinforce, IsTheWeightedLogLikelihood) {
  const at::Tensor log_probability = leaf({-4, -5});
  const auto gradient = torch::autograd::grad(
      {reinforce_loss(log_probability, row({0.5, -2})).sum()}, {log_probability})[0];
  EXPECT_DOUBLE_EQ(gradient[0].item<double>(), -0.5);
  EXPECT_DOUBLE_EQ(gradient[1].item<double>(), 2);
}

}  // namespace
}  // namespace eco::train
