// The sequential network that is trained and the engine that solves are one model: along any
// solution both give the same log-probabilities, for every problem, backbone and ordering.
// merge_parity_test.cpp is the same for merging.

#include <gtest/gtest.h>

#include <memory>

#include "core/infer/engine.h"
#include "train/nn/policy.h"
#include "train/nn/policy_cases.h"

namespace eco::train {
namespace {

// The log-probabilities of the steps that have a loss, in order.
std::vector<double> trained(const Policy& policy, const Instance& instance,
                            const Solution& solution, bool first_given = false) {
  const ModelConfig& config = policy.config();
  const at::NoGradGuard guard;
  std::vector<double> result;
  const PointerBatch batch = pointer_batch(config, {instance}, {solution}, {0}, first_given);
  const at::Tensor steps = policy.log_probabilities(batch);
  for (std::int64_t t = 0; t < steps.size(1); ++t) {
    if (batch.counted[0][t].item<float>() != 0) result.push_back(steps[0][t].item<double>());
  }
  return result;
}

TEST(Parity, EngineAndPolicyAgreeOnEveryStep) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const Backbone backbone : {Backbone::mamba, Backbone::transformer}) {
      for (const Ordering ordering :
           {Ordering::raw, Ordering::x, Ordering::morton, Ordering::hilbert}) {
        ModelConfig config = small(paper_preset(problem));
        config.backbone = backbone;
        config.ordering = ordering;
        const Policy policy = random_policy(config, 17);
        Engine engine(std::make_shared<const Weights>(policy.weights()), 1);
        Rng rng(5);
        for (std::size_t index = 0; index < 3; ++index) {
          const Instance instance = instance_of(problem, 23, index);
          const Solution solution = random_solution(instance, rng);
          const auto expected = engine.score_path(instance, solution);
          const auto found = trained(policy, instance, solution);
          ASSERT_EQ(found.size(), expected.size());
          for (std::size_t t = 0; t < found.size(); ++t) {
            ASSERT_NEAR(found[t], expected[t].log_probability, 1e-4)
                << to_string(problem) << " step " << t << " backbone " << static_cast<int>(backbone)
                << " ordering " << to_string(ordering);
          }
        }
      }
    }
  }
}

// The published networks, at their own size.
TEST(Parity, EngineAndPolicyAgreeOnThePublishedNetworks) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    ModelConfig mamba = paper_preset(problem);  // their decoder behind our encoder
    mamba.decoder = DecoderKind::am;
    for (const ModelConfig& config :
         {am_preset(problem), pomo_preset(problem), lehd_preset(problem), mamba}) {
      Policy policy = random_policy(config, 17);
      policy.use_running_statistics();
      Engine engine(std::make_shared<const Weights>(policy.weights()), 1);
      Rng rng(5);
      for (std::size_t index = 0; index < 3; ++index) {
        const Instance instance = instance_of(problem, 37, index);
        const Solution solution = random_solution(instance, rng);
        const auto expected = engine.score_path(instance, solution);
        const auto found = trained(policy, instance, solution);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t t = 0; t < found.size(); ++t) {
          ASSERT_NEAR(found[t], expected[t].log_probability, 1e-4)
              << to_string(problem) << " step " << t << " decoder "
              << to_fields(config).at("decoder");
        }
      }
    }
  }
}

TEST(Parity, SampledRolloutsHaveTheLogProbabilityThatTrainingGivesThem) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const ModelConfig& config : {small(paper_preset(problem)), small(am_preset(problem)),
                                      small(pomo_preset(problem)), small(lehd_preset(problem))}) {
      Policy policy = random_policy(config, 17);
      policy.use_running_statistics();
      Engine engine(std::make_shared<const Weights>(policy.weights()), 1);
      const Instance instance = instance_of(problem, 30, 0);
      const Instance* instances[] = {&instance};
      DecodeOptions options;
      options.method = Decode::sample;
      options.samples = 4;
      for (const bool spread : {false, true}) {
        options.spread = spread;
        const auto rollouts = engine.run(instances, options);
        for (const Rollout& rollout : rollouts[0]) {
          double sum = 0;
          for (const double step : trained(policy, instance, rollout.solution, spread)) sum += step;
          EXPECT_NEAR(sum, rollout.log_probability, 1e-3);
        }
      }
    }
  }
}

TEST(Policy, SurvivesTheWayThroughWeights) {
  for (const ModelConfig& config : all_configs()) {
    const Policy policy = random_policy(config, 3);
    EXPECT_TRUE(Policy(policy.weights()).flat().equal(policy.flat()));
  }
}

}  // namespace
}  // namespace eco::train
