// The statements of the paper's appendix, each a test of its name, on sets small enough to count.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/problem/problem.h"
#include "train/data/random_instance.h"
#include "train/loss/preference.h"
#include "train/loss/rows.h"

namespace eco::train {
namespace {

// Each cycle once, not in both directions.
std::vector<double> costs_of_all_tours(std::size_t nodes, std::uint64_t index) {
  const Instance instance = random_instance(ProblemKind::tsp, nodes, index);
  std::vector<double> costs;
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < nodes; ++i) order.push_back(i);
  do {
    if (order.front() > order.back()) continue;
    Solution tour{{NodeId(0)}};
    for (const std::size_t node : order) tour.sequence.emplace_back(node);
    costs.push_back(cost(instance, tour));
  } while (std::next_permutation(order.begin(), order.end()));
  return costs;
}

// Proposition 1 on all 60 tours of six nodes: gradient descent on the population risk under
// Bradley-Terry labels arrives at the restricted Gibbs policy with lambda = 1 / (beta tau).
TEST(Proposition1, FinitePoolDpoIsConsistentWithTheRestrictedGibbsPolicy) {
  const std::vector<double> costs = costs_of_all_tours(6, 0);
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

using Distribution = std::vector<double>;

// In proportion to p exp(-lambda cost), of those in the pool.
Distribution gibbs_policy(const Distribution& p, const std::vector<double>& costs, double lambda,
                          const std::vector<bool>& pool) {
  Distribution q(p.size());
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (pool[i]) q[i] = p[i] * std::exp(-lambda * costs[i]);
    sum += q[i];
  }
  for (double& value : q) value /= sum;
  return q;
}

double expectation(const Distribution& p, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * values[i];
  return sum;
}

double total_variation(const Distribution& p, const Distribution& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::abs(p[i] - q[i]) / 2;
  return sum;
}

// Expectation of the restricted Gibbs policy over pools of two samples of p, all pairs counted.
Distribution mean_over_pools(const Distribution& p, const std::vector<double>& costs,
                             double lambda) {
  Distribution mean(p.size());
  for (std::size_t a = 0; a < p.size(); ++a) {
    for (std::size_t b = 0; b < p.size(); ++b) {
      std::vector<bool> pool(p.size());
      pool[a] = pool[b] = true;
      const Distribution q = gibbs_policy(p, costs, lambda, pool);
      for (std::size_t i = 0; i < p.size(); ++i) mean[i] += p[a] * p[b] * q[i];
    }
  }
  return mean;
}

// One round of DPO on the population of pairs of two samples, from the reference itself.
Distribution dpo_round(const Distribution& reference, const std::vector<double>& costs, double beta,
                       int steps) {
  const at::Tensor p = row(reference), cost_row = row(costs), log_reference = at::log(p);
  const at::Tensor wins = (cost_row.unsqueeze(1) < cost_row.unsqueeze(0)).to(at::kDouble) *
                          p.unsqueeze(1) * p.unsqueeze(0);
  const auto loss = dpo_loss(beta);
  at::Tensor logits = log_reference.clone().requires_grad_();
  for (int step = 0; step < steps; ++step) {
    const at::Tensor log_q = at::log_softmax(logits, 0);
    const at::Tensor margin =
        implicit_margin(log_q.unsqueeze(1), log_q.unsqueeze(0), log_reference.unsqueeze(1),
                        log_reference.unsqueeze(0), beta);
    const auto gradient = torch::autograd::grad({(wins * loss->loss(margin)).sum()}, {logits})[0];
    const at::NoGradGuard guard;
    logits -= 5.0 * gradient;
  }
  const at::Tensor q = at::softmax(logits.detach(), 0).contiguous();
  return {q.data_ptr<double>(), q.data_ptr<double>() + q.numel()};
}

// Proposition 2 on all 12 tours of five nodes of several instances, everything in it counted: the
// improvement of the exact soft target is the integral of the variance of the cost, and a round of
// DPO costs at most J(pi_t) - I(lambda) + R (epsilon + delta).
TEST(Proposition2, ApproximateSoftImprovementBoundsTheCostOfTheNextPolicy) {
  constexpr std::size_t kInstances = 5;
  for (const double lambda : {0.5, 2.0, 8.0}) {
    double before = 0, after = 0, target = 0, improvement = 0, epsilon = 0, delta = 0, range = 0;
    for (std::uint64_t index = 0; index < kInstances; ++index) {
      const std::vector<double> costs = costs_of_all_tours(5, index);
      const std::vector<bool> all(costs.size(), true);
      Distribution policy(costs.size());
      for (std::size_t i = 0; i < costs.size(); ++i) {
        policy[i] = std::exp(std::sin(1.7 * static_cast<double>(i + index)));
      }
      policy = gibbs_policy(policy, costs, 0, all);  // of sum one
      const Distribution exact = gibbs_policy(policy, costs, lambda, all);
      const Distribution pools = mean_over_pools(policy, costs, lambda);
      const Distribution next = dpo_round(policy, costs, 0.3, 40);
      before += expectation(policy, costs);
      after += expectation(next, costs);
      target += expectation(exact, costs);
      epsilon += total_variation(next, pools);
      delta += total_variation(pools, exact);
      range = std::max(range, *std::max_element(costs.begin(), costs.end()) -
                                  *std::min_element(costs.begin(), costs.end()));
      // Simpson's rule over s in [0, lambda].
      constexpr int kSteps = 200;
      for (int k = 0; k <= kSteps; ++k) {
        const Distribution at = gibbs_policy(policy, costs, lambda * k / kSteps, all);
        std::vector<double> squares;
        for (const double cost : costs) squares.push_back(cost * cost);
        const double mean = expectation(at, costs);
        const double weight = k == 0 || k == kSteps ? 1 : k % 2 == 1 ? 4 : 2;
        improvement += weight * (expectation(at, squares) - mean * mean) * lambda / (3 * kSteps);
      }
    }
    EXPECT_GT(improvement, 0);
    EXPECT_NEAR(target, before - improvement, 1e-9 * before);
    EXPECT_LE(after, before - improvement + range * (epsilon + delta));
    EXPECT_LT(after, before);  // and the round did improve
    // The step of the proof: costs under two policies differ by at most R times their distance.
    EXPECT_LE(std::abs(after - target), range * (epsilon + delta) + 1e-12);
  }
}

// Appendix: grad l = -beta sigma(-s) [grad log p(w) - grad log p(l)], here for a policy whose
// log-probabilities are a smooth function of two shared parameters.
TEST(GradientStructure, OfDpoIsTheClosedForm) {
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

// Proposition 3: error bound, slope at the neutral score and signal-to-noise ratio of a pair.
TEST(Proposition3, AMarginImprovesThePreferenceSignal) {
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
