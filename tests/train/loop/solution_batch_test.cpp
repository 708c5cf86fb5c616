#include "train/rollout/solution_batch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/infer/engine.h"
#include "train/data/random_instance.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {
namespace {

ModelConfig small(ModelConfig config) {
  config.dim = 16;
  config.encoder_layers = 3;
  config.heads = 2;
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
    const Policy policy(small(paper_preset(problem)), 3);
    const Sampled data = sampled(policy, 25);
    const SolutionBatch batch(policy.config(), data.solutions, pool);
    const at::NoGradGuard guard;
    const at::Tensor scores = batch.log_probabilities(policy);
    ASSERT_EQ(scores.size(0), 12);
    for (std::int64_t i = 0; i < 12; ++i) {
      const double engine =
          data.rollouts[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(i % 4)]
              .log_probability;
      EXPECT_NEAR(scores[i].item<double>(), engine, 2e-3 * std::abs(engine))
          << to_string(problem) << " solution " << i;
    }
  }
}

TEST(PolicyWeights, ComeBackAsTheyWereAndRefuseAnotherModel) {
  const Policy policy(small(best_preset(ProblemKind::tsp)), 3);
  Policy other(small(best_preset(ProblemKind::tsp)), 4);
  EXPECT_FALSE(at::equal(policy.flat(), other.flat()));
  set_weights(other, to_weights(policy));
  EXPECT_TRUE(at::equal(policy.flat(), other.flat()));
  Policy wrong(small(best_preset(ProblemKind::cvrp)), 4);
  EXPECT_THROW(set_weights(wrong, to_weights(policy)), Error);
}

}  // namespace
}  // namespace eco::train
