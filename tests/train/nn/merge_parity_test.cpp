// The merging network of the trainer and that of the engine are one function.

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "core/model/merge_network.h"
#include "train/data/merge_batch.h"
#include "train/nn/policy.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {
namespace {

Weights shaken_merging_weights(const ModelConfig& config, std::uint64_t seed) {
  Weights weights = random_weights(config, seed);
  Rng rng(seed, 1);
  for (const TensorSpec& spec : weights.specs()) {
    for (float& value : weights.tensor(spec.name)) {
      value += static_cast<float>(0.1 * rng.normal());
    }
  }
  return weights;
}

// States of several sizes and ages.
std::vector<std::unique_ptr<Fragments>> some_states(const std::vector<Instance>& instances,
                                                    Rng& rng) {
  std::vector<std::unique_ptr<Fragments>> states;
  for (const Instance& instance : instances) {
    auto state = std::make_unique<Fragments>(instance);
    for (std::size_t tries = rng.below(static_cast<std::uint32_t>(2 * instance.size())); tries > 0;
         --tries) {
      const NodeId a(rng.below(static_cast<std::uint32_t>(instance.size())));
      const NodeId b(rng.below(static_cast<std::uint32_t>(instance.size())));
      if (instance.has_depot() && a != kDepot && state->open(a) && rng.below(8) == 0) {
        state->send_home(a);
      }
      if (state->can_link(a, b)) state->link(a, b);
    }
    states.push_back(std::move(state));
  }
  return states;
}

TEST(MergeParity, EngineAndTrainerGiveTheSameLogProbabilities) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const std::size_t layers : {0, 1}) {
      for (const std::size_t passes : {1, 2}) {
        ModelConfig config = best_preset(kind);
        config.dim = 64;
        config.scorer_dim = 32;
        config.scorer_layers = layers;
        config.passes = passes;
        const Weights weights = shaken_merging_weights(config, 5);
        std::vector<Instance> instances;
        for (const std::size_t nodes : {5, 12, 33, 80, 130}) {
          GeneratorOptions options;
          options.kind = kind;
          options.nodes = nodes;
          instances.push_back(generate(options, nodes));
        }
        Rng rng(9);
        const auto states = some_states(instances, rng);
        MergeInput input;
        MergeInputBuilder builder;
        input.clear(config.depot(), config.candidates);
        for (const auto& state : states) {
          builder.append(*state, View(state->instance()), {}, input);
        }
        const PackedModel model(weights);
        std::vector<float> native;
        ASSERT_TRUE(MergeNetwork(model).run(input, native));

        const std::vector<float> none(input.tokens() * input.width, 0.0F);
        const MergeBatch batch = make_merge_batch(input, none);
        const at::NoGradGuard guard;
        const at::Tensor logits = Policy(weights).logits(batch).back();
        const at::Tensor log_probs =
            target_log_likelihood(logits, batch.target, batch.count).log_probs.contiguous();
        const float* trained = log_probs.data_ptr<float>();
        for (std::size_t token = 0; token < input.tokens(); ++token) {
          for (std::size_t a = 0; a < input.count[token]; ++a) {
            const std::size_t place = token * input.width + a;
            EXPECT_NEAR(native[place], trained[place], 1e-4) << token << " " << a;
          }
        }
      }
    }
  }
}

TEST(PolicyWeights, ADeeperPolicyBeginsAsTheShallowOneEnded) {
  ModelConfig config = best_preset(ProblemKind::tsp);
  config.encoder_layers = 2;
  const Weights shallow = shaken_merging_weights(config, 5);
  config.encoder_layers = 3;
  Policy deep(config, 6);
  set_weights(deep, shallow);

  GeneratorOptions options;
  options.nodes = 60;
  const Instance instance = generate(options, 1);
  MergeInput input;
  input.clear(config.depot(), config.candidates);
  MergeInputBuilder().append(Fragments(instance), View(instance), {}, input);
  const MergeBatch batch =
      make_merge_batch(input, std::vector<float>(input.tokens() * input.width, 0.0F));
  const at::NoGradGuard guard;
  EXPECT_TRUE(at::equal(deep.logits(batch).back(), Policy(shallow).logits(batch).back()));

  Policy shallower(shallow.config(), 6);
  EXPECT_THROW(set_weights(shallower, to_weights(deep)), Error);
}

}  // namespace
}  // namespace eco::train
