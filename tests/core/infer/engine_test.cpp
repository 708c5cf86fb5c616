#include "core/infer/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

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

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const std::string problem(to_string(kind));
    all.push_back({"paper_" + problem, paper_preset(kind)});
    all.push_back({"best_" + problem, best_preset(kind)});
    for (const Ordering ordering : {Ordering::raw, Ordering::x, Ordering::hilbert}) {
      ModelConfig config = paper_preset(kind);
      config.ordering = ordering;
      config.dim = 40;  // R = 3, and no multiple of 16
      all.push_back({"paper_" + std::string(to_string(ordering)) + "_" + problem, config});
    }
    ModelConfig alternate = paper_preset(kind);
    alternate.scan = Scan::alternate;
    alternate.ffn = false;
    alternate.dim = 24;
    all.push_back({"pointer_alternate_" + problem, alternate});
    ModelConfig transformer = paper_preset(kind);
    transformer.backbone = Backbone::transformer;
    all.push_back({"transformer_" + problem, transformer});
    ModelConfig window = best_preset(kind);
    if (kind == ProblemKind::tsp) {
      window.window = 12;
      all.push_back({"best_window_tsp", window});
    }
    ModelConfig both = best_preset(kind);
    both.backbone = Backbone::transformer;
    both.ffn = true;
    both.dim = 48;
    both.heads = 4;
    both.candidate_dim = 40;
    both.candidate_heads = 2;
    both.candidate_layers = 2;
    both.candidates = 5;
    both.reencode = 0.25;
    all.push_back({"transformer_candidate_" + problem, both});
  }
  return all;
}

class EveryModel : public ::testing::TestWithParam<Case> {};

TEST_P(EveryModel, GivesTheLogitsOfThePlainEquations) {
  const ModelConfig& config = GetParam().config;
  const Weights weights = shaken_weights(config, 5);
  Engine engine(std::make_shared<const Weights>(shaken_weights(config, 5)), 1);
  const ReferenceModel reference(weights);
  const Instance instance = random_instance(config.problem, 19, 3);
  const Instance* one = &instance;
  DecodeOptions options;
  options.method = Decode::sample;
  options.ends = 1;
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
  for (const Decode method : {Decode::greedy, Decode::sample}) {
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

INSTANTIATE_TEST_SUITE_P(Configs, EveryModel, ::testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(Engine, SegmentsRetellTheTour) {
  Engine engine(std::make_shared<const Weights>(shaken_weights(best_preset(ProblemKind::tsp), 2)));
  const Instance instance = random_instance(ProblemKind::tsp, 60, 4);
  const Instance* one = &instance;
  const Rollout rollout = engine.run({&one, 1}, {.doubt = 1})[0][0];
  std::vector<NodeId> forward{rollout.segments[0].current}, backward;
  double total = 0;
  std::size_t moved_back = 0;
  for (const Segment& segment : rollout.segments) {
    EXPECT_EQ(segment.unvisited, 60 - forward.size() - backward.size());
    EXPECT_EQ(segment.nodes.size(), segment_steps(0.1, segment.unvisited));
    auto& side = segment.end == 0 ? forward : backward;
    EXPECT_EQ(segment.current, side.empty() ? forward[0] : side.back());
    side.insert(side.end(), segment.nodes.begin(), segment.nodes.end());
    total += segment.log_probability;
    moved_back += segment.end;
  }
  EXPECT_GT(moved_back, 0U);
  forward.insert(forward.end(), backward.rbegin(), backward.rend());
  EXPECT_EQ(forward, rollout.solution.sequence);
  EXPECT_DOUBLE_EQ(total, rollout.log_probability);
}

TEST(Engine, DoubtfulStepsArePutOff) {
  Engine engine(std::make_shared<const Weights>(shaken_weights(best_preset(ProblemKind::tsp), 2)));
  const Instance instance = random_instance(ProblemKind::tsp, 90, 4);
  const Instance* one = &instance;
  std::size_t before = 0;
  for (const double doubt : {1.0, 0.7, 1e-9}) {
    const Rollout rollout = engine.run({&one, 1}, {.doubt = doubt})[0][0];
    std::size_t left = 89;
    double total = 0;
    for (const Segment& segment : rollout.segments) {
      EXPECT_EQ(segment.unvisited, left);
      EXPECT_GE(segment.nodes.size(), 1U);
      const std::size_t due = segment_steps(0.1, std::min<std::size_t>(left, 60));
      if (doubt == 1 || due == left) {
        EXPECT_EQ(segment.nodes.size(), due);
      } else if (doubt == 1e-9) {
        EXPECT_EQ(segment.nodes.size(), 1U);
      } else {
        EXPECT_LE(segment.nodes.size(), due);
      }
      left -= segment.nodes.size();
      total += segment.log_probability;
    }
    EXPECT_EQ(left, 0U);
    EXPECT_DOUBLE_EQ(total, rollout.log_probability);
    EXPECT_GT(rollout.segments.size(), before);  // the less doubt is borne, the more encodings
    before = rollout.segments.size();
  }
}

// The routes that were tried and dropped leave nothing behind: the plan is as probable as it is to
// a policy that is led through it.
TEST(Engine, RoutesThatWereNotKeptLeaveNoTrace) {
  for (const Backbone backbone : {Backbone::mamba, Backbone::transformer}) {
    ModelConfig config = best_preset(ProblemKind::cvrp);
    config.backbone = backbone;
    Engine engine(std::make_shared<const Weights>(shaken_weights(config, 2)));
    const Instance instance = random_instance(ProblemKind::cvrp, 60, 4);
    const Instance* one = &instance;
    DecodeOptions options;
    options.reencode = 1;
    std::set<std::vector<NodeId>> plans;
    for (const std::size_t ends : {1, 3, 16}) {
      options.ends = ends;
      const Rollout rollout = engine.run({&one, 1}, options)[0][0];
      ASSERT_EQ(rollout.segments.size(), 1U);
      plans.insert(rollout.solution.sequence);
      double total = 0;
      for (const StepScore& step : engine.score_path(instance, rollout.solution, options)) {
        total += step.log_probability;
      }
      EXPECT_NEAR(rollout.log_probability, total, 1e-3) << ends;
    }
    EXPECT_GT(plans.size(), 1U);
  }
}

TEST(Engine, SegmentsRetellThePlan) {
  Engine engine(std::make_shared<const Weights>(shaken_weights(best_preset(ProblemKind::cvrp), 2)));
  const Instance instance = random_instance(ProblemKind::cvrp, 80, 4);
  const Instance* one = &instance;
  const Rollout rollout = engine.run({&one, 1}, {})[0][0];
  EXPECT_GT(rollout.segments.size(), 4U);
  std::vector<NodeId> told{kDepot};
  std::size_t open = 80;
  for (const Segment& segment : rollout.segments) {
    EXPECT_EQ(segment.unvisited, open);
    EXPECT_EQ(segment.current, told.back());
    open -= segment.nodes.size();
    for (std::size_t i = 0; i < segment.nodes.size(); ++i) {
      if (segment.via_depot[i] != 0) told.push_back(kDepot);
      told.push_back(segment.nodes[i]);
    }
  }
  told.push_back(kDepot);
  EXPECT_EQ(told, rollout.solution.sequence);
}

TEST(Engine, SamplesDifferAndFollowTheSeed) {
  Engine engine(std::make_shared<const Weights>(shaken_weights(paper_preset(ProblemKind::tsp), 2)));
  const Instance instance = random_instance(ProblemKind::tsp, 30, 4);
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

TEST(Engine, TopOneAndAVeryLowTemperatureAreGreedy) {
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp)}) {
    Engine engine(std::make_shared<const Weights>(shaken_weights(config, 3)));
    const Instance instance = random_instance(config.problem, 25, 8);
    const Instance* one = &instance;
    const auto greedy = engine.run({&one, 1}, {})[0][0];
    DecodeOptions options;
    options.method = Decode::sample;
    options.top_k = 1;
    EXPECT_EQ(engine.run({&one, 1}, options)[0][0].solution, greedy.solution);
    options.top_k = 0;
    options.temperature = 1e-6;
    EXPECT_EQ(engine.run({&one, 1}, options)[0][0].solution, greedy.solution);
  }
}

TEST(Engine, ReturnsAFeasibleSolutionWhenTimeIsUp) {
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), paper_preset(ProblemKind::cvrp),
        best_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp)}) {
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

}  // namespace
}  // namespace eco
