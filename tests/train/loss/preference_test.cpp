#include "train/loss/preference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/problem/problem.h"
#include "train/data/random_instance.h"
#include "train/loss/policy_gradient.h"

namespace eco::train {
namespace {

at::Tensor row(const std::vector<double>& values) {
  return at::tensor(values, at::kDouble);
}

at::Tensor leaf(const std::vector<double>& values) {
  return row(values).requires_grad_();
}

TEST(Dpo, AtTheReferenceTheLossIsLogTwo) {
  const at::Tensor winner = row({-31.5, -2, -700}), loser = row({-30, -9, -1});
  const at::Tensor margin = implicit_margin(winner, loser, winner, loser, 0.3);
  const at::Tensor loss = dpo_loss(0.3)->loss(margin);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(loss[i].item<double>(), std::log(2.0));
}

// Appendix: grad l = -beta sigma(-s) [grad log p(w) - grad log p(l)], here for a policy whose
// log-probabilities are a smooth function of two shared parameters.
TEST(Dpo, GradientIsTheClosedFormOfTheAppendix) {
  for (const double beta : {0.1, 0.3, 2.0}) {
    const auto score = [](const at::Tensor& theta, double a, double b) {
      return at::log_sigmoid(theta[0] * a + theta[1] * b) - at::square(theta[1]) * a;
    };
    const at::Tensor theta = leaf({0.4, -0.7});
    const at::Tensor reference_w = row({-1.1}).squeeze(), reference_l = row({-0.2}).squeeze();
    const at::Tensor w = score(theta, 0.5, 1.5), l = score(theta, -1.0, 0.25);
    const auto grad_w = torch::autograd::grad({w}, {theta}, {}, true)[0];
    const auto grad_l = torch::autograd::grad({l}, {theta}, {}, true)[0];
    const at::Tensor s = implicit_margin(w, l, reference_w, reference_l, beta);
    const auto grad = torch::autograd::grad({dpo_loss(beta)->loss(s)}, {theta})[0];
    const double sigma = 1 / (1 + std::exp(s.item<double>()));
    const at::Tensor expected = -beta * sigma * (grad_w - grad_l);
    EXPECT_TRUE(at::allclose(grad, expected, 1e-12, 1e-14)) << grad << expected;
  }
}

// Proposition 1 on all 60 tours of six nodes: gradient descent on the population risk under
// Bradley-Terry labels arrives at the restricted Gibbs policy with lambda = 1 / (beta tau).
TEST(Dpo, PopulationOptimumIsTheRestrictedGibbsPolicy) {
  const Instance instance = random_instance(ProblemKind::tsp, 6, 0);
  std::vector<double> costs;
  std::vector<std::size_t> order = {1, 2, 3, 4, 5};
  do {
    if (order.front() > order.back()) continue;  // each cycle once, not in both directions
    Solution tour{{NodeId(0)}};
    for (const std::size_t node : order) tour.sequence.emplace_back(node);
    costs.push_back(cost(instance, tour));
  } while (std::next_permutation(order.begin(), order.end()));
  ASSERT_EQ(costs.size(), 60U);

  const double beta = 0.5, tau = 0.8;
  const auto count = static_cast<std::int64_t>(costs.size());
  const at::Tensor cost_row = row(costs);
  // An arbitrary reference with full support.
  const at::Tensor reference = at::log_softmax(at::sin(at::arange(count, at::kDouble) * 1.7), 0);
  const at::Tensor wins = at::sigmoid((cost_row.unsqueeze(0) - cost_row.unsqueeze(1)) / tau);

  const auto loss = dpo_loss(beta);
  at::Tensor logits = at::zeros({count}, at::kDouble).requires_grad_();
  for (int step = 0; step < 4000; ++step) {
    const at::Tensor log_q = at::log_softmax(logits, 0);
    // entry (a, b): a is preferred to b with probability wins(a, b)
    const at::Tensor margin = implicit_margin(log_q.unsqueeze(1), log_q.unsqueeze(0),
                                              reference.unsqueeze(1), reference.unsqueeze(0), beta);
    const at::Tensor risk = (wins * loss->loss(margin)).sum() / static_cast<double>(count);
    const auto gradient = torch::autograd::grad({risk}, {logits})[0];
    const at::NoGradGuard guard;
    logits -= 2.0 * gradient;
  }
  const at::Tensor gibbs = at::softmax(reference - cost_row / (beta * tau), 0);
  const at::Tensor learned = at::softmax(logits.detach(), 0);
  EXPECT_LT((learned - gibbs).abs().max().item<double>(), 1e-6);
  // and it is a real shift away from the reference
  EXPECT_GT((gibbs - at::exp(reference)).abs().max().item<double>(), 0.01);
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

// Proposition 3: error bound, slope at the neutral score and signal-to-noise ratio of a pair.
TEST(LocalSearchMargin, ImprovesThePreferenceSignal) {
  const double tau = 0.7;
  const auto loss = logistic_ranking();
  double last_snr = -1;
  for (const double margin : {0.0, 0.2, 1.0, 3.0}) {
    const double p = 1 / (1 + std::exp(-margin / tau));
    EXPECT_LE(1 - p, std::exp(-margin / tau));
    const at::Tensor s = leaf({0.0});
    const at::Tensor risk = p * loss->loss(s) + (1 - p) * loss->loss(-s);
    const double slope = torch::autograd::grad({risk.sum()}, {s})[0].item<double>();
    EXPECT_NEAR(std::abs(slope), 0.5 * std::tanh(margin / (2 * tau)), 1e-12);
    const double mean = 2 * p - 1;
    const double snr = mean / std::sqrt(1 - mean * mean);
    EXPECT_NEAR(snr, std::sinh(margin / (2 * tau)), 1e-9);
    EXPECT_GT(snr, last_snr);
    last_snr = snr;
  }
}

}  // namespace
}  // namespace eco::train
