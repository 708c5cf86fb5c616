// The policy as a distribution and as a differentiable function: probabilities of all choices sum
// to one, gradients agree with differences, and neither depends on how a batch is put together.

#include "train/nn/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/problem/problem.h"
#include "train/nn/gradient.h"
#include "train/nn/policy_cases.h"
#include "train/ops/ops.h"

namespace eco::train {
namespace {

// The log-probabilities that are learned from two solutions of each of two instances; merging:
// those of every pass, from one solution of each.
class Objective {
 public:
  explicit Objective(const ModelConfig& config) : config_(config) {
    Rng rng(5);
    for (std::size_t i = 0; i < 2; ++i) instances_.push_back(instance_of(config.problem, 9, i));
    for (std::size_t i = 0; i < 4; ++i) {
      solutions_.push_back(random_solution(instances_[i / 2], rng));
      owner_.push_back(i / 2);
    }
    if (config.constructor == ConstructorKind::merging) {
      merge_ = merge_batch(config, instances_, {solutions_[0], solutions_[2]});
    } else {
      pointer_ = pointer_batch(config, instances_, solutions_, owner_);
    }
  }
  at::Tensor steps(const Policy& policy) const {
    if (config_.constructor == ConstructorKind::sequential)
      return policy.log_probabilities(pointer_);
    std::vector<at::Tensor> passes;
    for (const at::Tensor& logits : policy.logits(merge_)) {
      const at::Tensor target = merge_.target.to(logits.scalar_type());
      passes.push_back(target_log_likelihood(logits, target, merge_.count).sum);
    }
    return at::stack(passes);
  }

 private:
  ModelConfig config_;
  std::vector<Instance> instances_;
  std::vector<Solution> solutions_;
  std::vector<std::size_t> owner_;
  PointerBatch pointer_;
  MergeBatch merge_;
};

TEST(Policy, HasTheTensorsOfTheContractAndRepeatsForASeed) {
  for (const ModelConfig& config : all_configs()) {
    const Policy first(config, 3), second(config, 3), other(config, 4);
    const auto specs = tensor_specs(config);
    ASSERT_EQ(first.values().size(), specs.size());
    std::size_t total = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const std::vector<std::int64_t> shape(specs[i].shape.begin(), specs[i].shape.end());
      EXPECT_EQ(first[specs[i].name].sizes().vec(), shape) << specs[i].name;
      total += specs[i].elements();
    }
    EXPECT_EQ(first.flat().numel(), static_cast<std::int64_t>(total));
    EXPECT_TRUE(first.flat().equal(second.flat()));
    EXPECT_FALSE(first.flat().equal(other.flat()));
  }
}

TEST(Policy, GradientsAgreeWithDifferencesInDouble) {
  for (const ModelConfig& config : all_configs()) {
    const Policy policy = random_policy(config, 7).copy(at::kDouble);
    const Objective objective(config);
    const at::Tensor sum = objective.steps(policy).sum();
    ASSERT_LT(sum.item<double>(), 0.0);
    const auto gradients =
        torch::autograd::grad({sum}, policy.values(), {}, false, false, /*allow_unused=*/true);
    const at::NoGradGuard guard;
    Rng rng(11);
    // Along a random direction of each tensor: every tensor counts, and two evaluations suffice.
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      ASSERT_EQ(gradients[i].defined(), !policy.specs()[i].statistic) << policy.specs()[i].name;
      if (policy.specs()[i].statistic) continue;  // measured, not learned
      const at::Tensor value = policy.values()[i];
      at::Tensor direction = at::empty_like(value);
      double* d = direction.data_ptr<double>();
      for (std::int64_t j = 0; j < direction.numel(); ++j) d[j] = rng.normal();
      const double step = 1e-7;  // small enough for no rectifier to change sides
      value.add_(direction, step);
      const double above = objective.steps(policy).sum().item<double>();
      value.sub_(direction, 2 * step);
      const double below = objective.steps(policy).sum().item<double>();
      value.add_(direction, step);
      const double expected = (above - below) / (2 * step);
      const double found = (gradients[i] * direction).sum().item<double>();
      EXPECT_NEAR(found, expected, 1e-4 * (1 + std::abs(expected)))
          << policy.specs()[i].name << " " << to_string(config.problem);
    }
  }
}

// AM chooses the first node too.
TEST(Policy, ProbabilitiesOfAllToursOfTheAttentionModelSumToOne) {
  const ModelConfig config = small(am_preset(ProblemKind::tsp));
  const Policy policy = random_policy(config, 7);
  const Instance instance = instance_of(ProblemKind::tsp, 5, 0);
  std::vector<Solution> solutions;
  Solution tour;
  for (std::size_t i = 0; i < 5; ++i) tour.sequence.emplace_back(i);
  do {
    solutions.push_back(tour);
  } while (std::next_permutation(tour.sequence.begin(), tour.sequence.end()));
  const at::NoGradGuard guard;
  const std::vector<std::size_t> owner(solutions.size(), 0);
  const at::Tensor steps =
      policy.log_probabilities(pointer_batch(config, {instance}, solutions, owner));
  EXPECT_NEAR(steps.sum(1).exp().sum().item<double>(), 1.0, 1e-5);
}

TEST(GradientWorkers, RunningStatisticsComeToThoseOfTheData) {
  const ModelConfig config = small(am_preset(ProblemKind::tsp));
  Policy policy = random_policy(config, 7);
  const Objective objective(config);
  ThreadPool pool(2);
  GradientWorkers workers(policy, pool);
  for (int step = 0; step < 200; ++step) {
    (void)workers.run(
        3, [&](const Policy& replica, std::size_t) { return objective.steps(replica).sum(); });
    workers.update_statistics(policy);
  }
  const at::NoGradGuard guard;
  const at::Tensor by_batch = objective.steps(policy);
  // The running variance is the estimate without bias; a batch is normalised by its own, of 18
  // tokens.
  for (std::size_t i = 0; i < policy.specs().size(); ++i) {
    if (policy.specs()[i].name.ends_with(".variance")) policy.values()[i].mul_(17.0 / 18);
  }
  policy.use_running_statistics();
  const at::Tensor running = objective.steps(policy);
  EXPECT_LT((by_batch - running).abs().max().item<double>(), 1e-2);
  EXPECT_LT(by_batch.sum().item<double>(), -1.0);
}

// Sum over all completions from the first node of exp(log-probability).
TEST(Policy, ProbabilitiesOfAllToursFromANodeSumToOne) {
  const Instance instance = instance_of(ProblemKind::tsp, 6, 0);
  std::vector<Solution> solutions;
  Solution tour;
  for (std::size_t i = 0; i < 6; ++i) tour.sequence.emplace_back(i);
  do {
    solutions.push_back(tour);
  } while (std::next_permutation(tour.sequence.begin() + 1, tour.sequence.end()));
  const at::NoGradGuard guard;
  const std::vector<std::size_t> owner(solutions.size(), 0);
  for (const ModelConfig& config :
       {small(paper_preset(ProblemKind::tsp)), small(lehd_preset(ProblemKind::tsp))}) {
    const at::Tensor steps = random_policy(config, 7).log_probabilities(
        pointer_batch(config, {instance}, solutions, owner));
    EXPECT_NEAR(steps.sum(1).exp().sum().item<double>(), 1.0, 1e-5);
  }
}

void all_sequences(const CvrpState& state, std::vector<Solution>& out) {
  if (state.done()) {
    out.push_back(state.solution());
    return;
  }
  for (std::size_t node = 0; node < 5; ++node) {
    if (!state.feasible(NodeId{node})) continue;
    CvrpState next = state;
    next.step(NodeId{node});
    all_sequences(next, out);
  }
}

TEST(Policy, ProbabilitiesOfAllCvrpPlansSumToOne) {
  const Instance instance = instance_of(ProblemKind::cvrp, 4, 0);
  std::vector<Solution> solutions;
  all_sequences(CvrpState(instance), solutions);
  ASSERT_GT(solutions.size(), 24U);
  const at::NoGradGuard guard;
  const std::vector<std::size_t> owner(solutions.size(), 0);
  for (const ModelConfig& config :
       {small(paper_preset(ProblemKind::cvrp)), small(lehd_preset(ProblemKind::cvrp))}) {
    const at::Tensor steps = random_policy(config, 7).log_probabilities(
        pointer_batch(config, {instance}, solutions, owner));
    EXPECT_NEAR(steps.sum(1).exp().sum().item<double>(), 1.0, 1e-5);
  }
}

TEST(Policy, SharedEncodingsAndPaddingChangeNothing) {
  for (const ModelConfig& config :
       {small(paper_preset(ProblemKind::tsp)), small(paper_preset(ProblemKind::cvrp)),
        small(lehd_preset(ProblemKind::tsp)), small(lehd_preset(ProblemKind::cvrp))}) {
    const ProblemKind problem = config.problem;
    const Policy policy = random_policy(config, 7);
    const std::vector<Instance> instances{instance_of(problem, 12, 0), instance_of(problem, 12, 1)};
    Rng rng(5);
    std::vector<Solution> solutions;
    const std::vector<std::size_t> owner{0, 1, 0, 1, 1};
    for (const std::size_t i : owner) solutions.push_back(random_solution(instances[i], rng));
    const at::NoGradGuard guard;
    const at::Tensor together =
        policy.log_probabilities(pointer_batch(config, instances, solutions, owner)).sum(1);
    for (std::size_t s = 0; s < owner.size(); ++s) {
      const at::Tensor alone = policy.log_probabilities(
          pointer_batch(config, {instances[owner[s]]}, {solutions[s]}, {0}));
      EXPECT_NEAR(together[static_cast<std::int64_t>(s)].item<double>(), alone.sum().item<double>(),
                  1e-4);
    }
  }
}

TEST(GradientWorkers, GiveTheSameBitsOnOneThreadAndOnThree) {
  set_up_process();
  for (const ModelConfig& config : all_configs()) {
    const Policy policy = random_policy(config, 7);
    const Objective objective(config);
    const auto run = [&](std::size_t threads) {
      ThreadPool pool(threads);
      GradientWorkers workers(policy, pool);
      // 20 parts: more than are held at once.
      const double loss = workers.run(20, [&](const Policy& replica, std::size_t part) {
        return objective.steps(replica).sum() * -(1.0 + static_cast<double>(part));
      });
      return std::pair(loss, workers.gradient().clone());
    };
    const auto [one_loss, one] = run(1);
    const auto [three_loss, three] = run(3);
    EXPECT_EQ(one_loss, three_loss);
    EXPECT_TRUE(one.equal(three));
    EXPECT_GT(one.abs().max().item<double>(), 0.0);
  }
}

}  // namespace
}  // namespace eco::train
