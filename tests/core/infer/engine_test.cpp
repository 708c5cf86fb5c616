#include "core/infer/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/model/reference_model.h"
#include "core/problem/check.h"

namespace eco {
namespace {

using testing::ReferenceModel;
using testing::shaken_weights;

Instance random_instance(ProblemKind kind, std::size_t customers, std::uint64_t seed) {
  Rng rng(seed, 77);
  Instance instance;
  instance.kind = kind;
  const std::size_t nodes = customers + (kind == ProblemKind::cvrp ? 1 : 0);
  for (std::size_t i = 0; i < nodes; ++i) {
    instance.points.push_back({rng.uniform(10, 30), rng.uniform(-4, 9)});
  }
  if (kind == ProblemKind::cvrp) {
    instance.capacity = 25;
    instance.demands.assign(nodes, 0);
    for (std::size_t i = 1; i < nodes; ++i) instance.demands[i] = rng.between(1, 9);
  }
  return instance;
}

std::vector<const Instance*> pointers(const std::vector<Instance>& instances) {
  std::vector<const Instance*> result;
  for (const Instance& instance : instances) result.push_back(&instance);
  return result;
}

struct Case {
  std::string name;
  ModelConfig config;
};

std::vector<Case> sequential_cases() {
  std::vector<Case> all;
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const std::string problem(to_string(kind));
    all.push_back({"paper_" + problem, paper_preset(kind)});
    for (const Ordering ordering : {Ordering::raw, Ordering::x, Ordering::hilbert}) {
      ModelConfig config = paper_preset(kind);
      config.ordering = ordering;
      config.dim = 40;  // R = 3, and no multiple of 16
      all.push_back({"paper_" + std::string(to_string(ordering)) + "_" + problem, config});
    }
    ModelConfig narrow = paper_preset(kind);
    narrow.ffn = false;
    narrow.dim = 24;
    all.push_back({"paper_without_ffn_" + problem, narrow});
    ModelConfig transformer = paper_preset(kind);
    transformer.backbone = Backbone::transformer;
    all.push_back({"transformer_" + problem, transformer});
  }
  return all;
}

std::vector<Case> every_case() {
  std::vector<Case> all = sequential_cases();
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const std::string problem(to_string(kind));
    all.push_back({"am_" + problem, am_preset(kind)});
    all.push_back({"pomo_" + problem, pomo_preset(kind)});
    all.push_back({"lehd_" + problem, lehd_preset(kind)});
    all.push_back({"best_" + problem, best_preset(kind)});
    ModelConfig attending = best_preset(kind);
    attending.dim = 48;
    attending.heads = 3;
    attending.scorer_dim = 40;
    attending.scorer_heads = 2;
    attending.scorer_layers = 2;
    attending.candidates = 5;
    attending.passes = 1;
    all.push_back({"best_attending_" + problem, attending});
  }
  return all;
}

class SequentialModel : public ::testing::TestWithParam<Case> {};
class EveryModel : public ::testing::TestWithParam<Case> {};

TEST_P(SequentialModel, GivesTheLogitsOfThePlainEquations) {
  const ModelConfig& config = GetParam().config;
  const Weights weights = shaken_weights(config, 5);
  Engine engine(std::make_shared<const Weights>(shaken_weights(config, 5)), 1);
  const ReferenceModel reference(weights);
  const Instance instance = random_instance(config.problem, 19, 3);
  const Instance* one = &instance;
  DecodeOptions options;
  options.method = Decode::sample;
  const Rollout rollout = engine.run({&one, 1}, options)[0][0];
  const auto expected = reference.score_path(instance, rollout.solution);
  const auto scores = engine.score_path(instance, rollout.solution);
  ASSERT_EQ(scores.size(), expected.size());
  double total = 0;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    EXPECT_EQ(scores[t].node, expected[t].node);
    ASSERT_EQ(scores[t].choices, expected[t].choices) << "step " << t;
    for (std::size_t j = 0; j < scores[t].logits.size(); ++j) {
      EXPECT_NEAR(scores[t].logits[j], expected[t].logits[j], 1e-4) << "step " << t;
    }
    EXPECT_NEAR(scores[t].log_probability, expected[t].log_probability, 1e-4);
    total += expected[t].log_probability;
  }
  EXPECT_NEAR(rollout.log_probability, total, 1e-3);
}

TEST_P(EveryModel, DoesNotDependOnThreadsOrOnTheCompanyOfAnInstance) {
  const auto weights = std::make_shared<const Weights>(shaken_weights(GetParam().config, 6));
  std::vector<Instance> instances;
  for (const std::size_t nodes : {30, 7, 3, 18, 30, 1, 2, 41}) {
    instances.push_back(random_instance(GetParam().config.problem, nodes, instances.size()));
  }
  std::vector<Decode> methods{Decode::greedy, Decode::sample};
  if (GetParam().config.constructor == ConstructorKind::sequential) {
    methods.push_back(Decode::reconstruct);
  }
  for (const Decode method : methods) {
    DecodeOptions options;
    options.method = method;
    options.samples = 3;
    options.seed = 9;
    Engine one(weights, 1), two(weights, 2);
    const auto together = one.run(pointers(instances), options);
    const auto threaded = two.run(pointers(instances), options);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const Instance* alone = &instances[i];
      options.first = i;
      const auto single = one.run({&alone, 1}, options)[0];
      ASSERT_EQ(single.size(), together[i].size());
      for (std::size_t k = 0; k < single.size(); ++k) {
        EXPECT_EQ(together[i][k].solution, single[k].solution);
        EXPECT_EQ(together[i][k].log_probability, single[k].log_probability);
        EXPECT_EQ(threaded[i][k].solution, single[k].solution);
        EXPECT_EQ(single[k].cost, check(instances[i], single[k].solution).cost);
        EXPECT_TRUE(single[k].complete);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, SequentialModel, ::testing::ValuesIn(sequential_cases()),
                         [](const auto& parameter) { return parameter.param.name; });
INSTANTIATE_TEST_SUITE_P(Configs, EveryModel, ::testing::ValuesIn(every_case()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(Engine, SamplesDifferAndFollowTheSeed) {
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp)}) {
    Engine engine(std::make_shared<const Weights>(shaken_weights(config, 2)));
    const Instance instance = random_instance(config.problem, 30, 4);
    const Instance* one = &instance;
    DecodeOptions options;
    options.method = Decode::sample;
    options.samples = 8;
    const auto first = engine.run({&one, 1}, options)[0];
    const auto again = engine.run({&one, 1}, options)[0];
    options.seed = 1;
    const auto other = engine.run({&one, 1}, options)[0];
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_EQ(first[k].solution, again[k].solution);
      EXPECT_NE(first[k].solution, other[k].solution);
      EXPECT_NE(first[k].solution, first[(k + 1) % 8].solution);
    }
  }
}

TEST(Engine, TopOneAndAVeryLowTemperatureAreGreedy) {
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp)}) {
    Engine engine(std::make_shared<const Weights>(shaken_weights(config, 3)));
    const Instance instance = random_instance(config.problem, 25, 8);
    const Instance* one = &instance;
    const auto greedy = engine.run({&one, 1}, {})[0][0];
    DecodeOptions options;
    options.method = Decode::sample;
    if (config.constructor == ConstructorKind::sequential) {
      options.top_k = 1;
      EXPECT_EQ(engine.run({&one, 1}, options)[0][0].solution, greedy.solution);
      options.top_k.reset();
    }
    options.temperature = 1e-6;
    EXPECT_EQ(engine.run({&one, 1}, options)[0][0].solution, greedy.solution);
  }
}

TEST(Engine, ReturnsAFeasibleSolutionWhenTimeIsUp) {
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), paper_preset(ProblemKind::cvrp),
        best_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp),
        lehd_preset(ProblemKind::tsp), lehd_preset(ProblemKind::cvrp)}) {
    Engine engine(std::make_shared<const Weights>(shaken_weights(config, 3)));
    const Instance instance = random_instance(config.problem, 50, 8);
    const Instance* one = &instance;
    const auto rollout = engine.run({&one, 1}, {}, Deadline::after(0))[0][0];
    EXPECT_FALSE(rollout.complete);
    EXPECT_TRUE(check(instance, rollout.solution).feasible);
  }
}

TEST(Engine, RefusesWhatTheModelWasNotMadeFor) {
  Engine engine(std::make_shared<const Weights>(random_weights(paper_preset(ProblemKind::tsp), 1)));
  const Instance cvrp = random_instance(ProblemKind::cvrp, 5, 1);
  const Instance* one = &cvrp;
  EXPECT_THROW((void)engine.run({&one, 1}, {}), Error);
  Instance matrix;
  matrix.metric = Metric::matrix;
  matrix.matrix = {0, 1, 1, 0};
  one = &matrix;
  EXPECT_THROW((void)engine.run({&one, 1}, {}), Error);
}

TEST(Engine, RefusesDecodingsThatTheConstructorDoesNotKnow) {
  const auto refused = [](Engine& engine, const DecodeOptions& options) {
    try {
      (void)engine.resolved(options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage;
    }
    return false;
  };
  const ModelConfig best = best_preset(ProblemKind::tsp), paper = paper_preset(ProblemKind::tsp);
  Engine merging(std::make_shared<const Weights>(random_weights(best, 1)), 1);
  Engine sequential(std::make_shared<const Weights>(random_weights(paper, 1)), 1);
  const std::vector<DecodeOptions> of_sequential{{.method = Decode::beam, .samples = 2},
                                                 {.method = Decode::multistart, .samples = 2},
                                                 {.method = Decode::reconstruct, .samples = 2},
                                                 {.method = Decode::sample, .top_k = 3},
                                                 {.candidates = 8}};
  for (const DecodeOptions& options : of_sequential) {
    EXPECT_TRUE(refused(merging, options));
    EXPECT_FALSE(refused(sequential, options));
  }
  EXPECT_TRUE(refused(sequential, {.effort = Effort::fast}));
  EXPECT_FALSE(refused(merging, {.effort = Effort::fast}));
  const Instance instance = random_instance(ProblemKind::tsp, 5, 1);
  const Instance* one = &instance;
  const Solution tour = merging.run({&one, 1}, {})[0][0].solution;
  EXPECT_THROW((void)merging.score_path(instance, tour), Error);
}

}  // namespace
}  // namespace eco
