#include "train/rollout/solution_batch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/infer/engine.h"
#include "train/data/random_instance.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {
namespace {

ModelConfig small(ProblemKind problem, bool best) {
  ModelConfig config = best ? best_preset(problem) : paper_preset(problem);
  config.dim = 16;
  config.encoder_layers = 3;
  config.decoder_layers = 2;
  config.heads = 2;
  config.candidate_dim = 16;
  config.candidate_heads = 2;
  return config;
}

struct Sampled {
  std::vector<Instance> instances;
  std::vector<std::vector<eco::Rollout>> rollouts;
  std::vector<ScoredSolution> solutions;
};

Sampled sampled(const Policy& policy, std::size_t nodes) {
  Sampled result;
  for (std::uint64_t i = 0; i < 3; ++i) {
    result.instances.push_back(random_instance(policy.config().problem, nodes, i));
  }
  std::vector<const Instance*> pointers;
  for (const Instance& instance : result.instances) pointers.push_back(&instance);
  Engine engine(std::make_shared<const Weights>(to_weights(policy)), 2);
  DecodeOptions options;
  options.method = Decode::sample;
  options.samples = 4;
  if (policy.config().scorer == Scorer::candidate) options.ends = 1;
  result.rollouts = engine.run(pointers, options);
  for (std::size_t i = 0; i < result.instances.size(); ++i) {
    for (const auto& rollout : result.rollouts[i]) {
      result.solutions.push_back({&result.instances[i], &rollout.solution});
    }
  }
  return result;
}

// The two halves of the project agree on what the policy is: what the engine says it sampled with
// is what training will score it with.
TEST(SolutionBatch, AgreesWithTheEngineThatSampled) {
  ThreadPool pool(2);
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const bool best : {false, true}) {
      const Policy policy(small(problem, best), 3);
      const Sampled data = sampled(policy, 25);
      Rng rng(1);
      const SolutionBatch batch(policy.config(), data.solutions, 0, rng, pool);
      const at::NoGradGuard guard;
      const at::Tensor scores = batch.log_probabilities(policy);
      ASSERT_EQ(scores.size(0), 12);
      for (std::int64_t i = 0; i < 12; ++i) {
        const double engine =
            data.rollouts[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(i % 4)]
                .log_probability;
        EXPECT_NEAR(scores[i].item<double>(), engine, 2e-3 * std::abs(engine))
            << to_string(problem) << " best " << best << " solution " << i;
      }
    }
  }
}

TEST(SolutionBatch, ASubsetOfSegmentsIsRightOnAverage) {
  ThreadPool pool(1);
  const Policy policy(small(ProblemKind::tsp, true), 3);
  const Sampled data = sampled(policy, 20);
  const at::NoGradGuard guard;
  Rng rng(1);
  const SolutionBatch whole(policy.config(), data.solutions, 0, rng, pool);
  const at::Tensor expected = whole.log_probabilities(policy);
  at::Tensor sum = at::zeros_like(expected);
  constexpr int kDraws = 300;
  for (int i = 0; i < kDraws; ++i) {
    Rng draw(2, static_cast<std::uint64_t>(i));
    const SolutionBatch some(policy.config(), data.solutions, 3, draw, pool);
    EXPECT_LT(some.tokens(), whole.tokens());
    EXPECT_EQ(some.steps(), whole.steps());
    sum += some.log_probabilities(policy);
  }
  const at::Tensor error = ((sum / kDraws - expected) / expected).abs();
  EXPECT_LT(error.max().item<double>(), 0.1);
}

TEST(PolicyWeights, ComeBackAsTheyWereAndRefuseAnotherModel) {
  const Policy policy(small(ProblemKind::tsp, true), 3);
  Policy other(small(ProblemKind::tsp, true), 4);
  EXPECT_FALSE(at::equal(policy.flat(), other.flat()));
  set_weights(other, to_weights(policy));
  EXPECT_TRUE(at::equal(policy.flat(), other.flat()));
  Policy wrong(small(ProblemKind::cvrp, true), 4);
  EXPECT_THROW(set_weights(wrong, to_weights(policy)), Error);
}

}  // namespace
}  // namespace eco::train
