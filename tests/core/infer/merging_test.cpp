#include "core/infer/merging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "core/infer/engine.h"
#include "core/infer/merging_blocks.h"
#include "core/infer/step_counter.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"

namespace eco {
namespace {

ModelConfig small_merging(ProblemKind kind) {
  ModelConfig config = best_preset(kind);
  config.dim = 32;
  config.scorer_dim = 16;
  return config;
}

Instance instance_of(ProblemKind kind, std::size_t nodes, std::uint64_t index,
                     Distribution distribution = Distribution::uniform) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  options.distribution = distribution;
  return generate(options, index);
}

Engine merging_engine(ProblemKind kind, std::size_t threads) {
  return Engine(std::make_shared<const Weights>(random_weights(small_merging(kind), 3)), threads);
}

TEST(Merging, SolvesInstancesOfEverySizeFeasibly) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    Engine engine = merging_engine(kind, 2);
    std::vector<Instance> instances;
    for (const std::size_t nodes : {1, 2, 3, 4, 5, 6, 9, 20, 61, 150}) {
      for (const Distribution d : {Distribution::uniform, Distribution::clustered}) {
        instances.push_back(instance_of(kind, nodes, nodes, d));
      }
    }
    std::vector<const Instance*> pointers;
    for (const Instance& instance : instances) pointers.push_back(&instance);
    for (const Effort effort : {Effort::fast, Effort::balanced, Effort::thorough}) {
      DecodeOptions options;
      options.effort = effort;
      const auto rollouts = engine.run(pointers, options);  // checks every solution
      for (const auto& one : rollouts) EXPECT_TRUE(one.front().complete);
    }
  }
}

TEST(Merging, InstancesWithNothingToLinkAreComplete) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    Engine engine = merging_engine(kind, 2);
    const std::vector<Instance> instances(40, instance_of(kind, 1, 1));
    std::vector<const Instance*> pointers;
    for (const Instance& instance : instances) pointers.push_back(&instance);
    DecodeOptions options;
    options.method = Decode::sample;
    options.samples = 3;
    for (const auto& rollouts : engine.run(pointers, options)) {
      for (const Rollout& rollout : rollouts) EXPECT_TRUE(rollout.complete);
    }
  }
}

TEST(Merging, SolvesDegenerateInstances) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    Engine engine = merging_engine(kind, 1);
    for (const int shape : {0, 1, 2}) {
      Instance instance = instance_of(kind, 40, 7);
      for (std::size_t i = 0; i < instance.size(); ++i) {
        const auto x = static_cast<double>(i);
        if (shape == 0) instance.points[i] = {0.5, 0.5};                      // one place
        if (shape == 1) instance.points[i] = {x / 40, x / 80};                // a line
        if (shape == 2) instance.points[i] = {double(i % 2), double(i % 3)};  // few places
      }
      if (kind == ProblemKind::cvrp && shape == 0) {
        for (std::size_t i = 1; i < instance.size(); ++i) instance.demands[i] = instance.capacity;
      }
      if (kind == ProblemKind::cvrp && shape == 1) instance.capacity = 1000;  // one route
      const Instance* one = &instance;
      EXPECT_TRUE(engine.run({&one, 1}, {}).front().front().complete);
    }
  }
}

TEST(Merging, DoesNotDependOnThreadsOrOnWhatElseIsSolved) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    std::vector<Instance> instances;
    for (std::size_t i = 0; i < 9; ++i) instances.push_back(instance_of(kind, 30 + 17 * i, i));
    std::vector<const Instance*> pointers;
    for (const Instance& instance : instances) pointers.push_back(&instance);
    const auto together = merging_engine(kind, 2).run(pointers, {});
    Engine alone = merging_engine(kind, 1);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      EXPECT_EQ(alone.run({&pointers[i], 1}, {})[0][0].solution, together[i][0].solution);
    }
  }
}

TEST(Merging, PastTheDeadlineFinishesGreedily) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = instance_of(kind, 400, 1);
    const Instance* one = &instance;
    const auto rollouts = merging_engine(kind, 2).run({&one, 1}, {}, Deadline::after(0));
    EXPECT_FALSE(rollouts[0][0].complete);
  }
}

// Enough for the curve, or for greedy links, or for some rounds of the policy.
TEST(Merging, ALargeInstanceIsCutShortAnywhere) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = instance_of(kind, 20'000, 1);
    const Instance* one = &instance;
    for (const double seconds : {0.0, 0.06, 0.3}) {
      const auto rollouts = merging_engine(kind, 2).run({&one, 1}, {}, Deadline::after(seconds));
      EXPECT_FALSE(rollouts[0][0].complete);
      EXPECT_TRUE(check(instance, rollouts[0][0].solution).feasible);
    }
  }
}

TEST(Merging, TellsOfEveryNodeThatIsClosedAndCountsWhatItEncodes) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = instance_of(kind, 120, 1);
    const Instance* one = &instance;
    std::vector<std::size_t> told;
    StepCounter counter(instance.customers(),
                        [&](std::size_t done, std::size_t) { told.push_back(done); });
    DecodeOptions options;
    options.counter = &counter;
    const auto rollouts = merging_engine(kind, 1).run({&one, 1}, options);
    EXPECT_GT(told.size(), 2U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    // Of a tour the two ends of the last path stay open.
    EXPECT_GE(told.back(), instance.customers() - 2);
    EXPECT_GT(rollouts[0][0].encoded, instance.customers());
  }
}

TEST(Merging, SeesLargeInstancesInBlocks) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const PackedModel model(random_weights(small_merging(kind), 3));
    const Instance instance = instance_of(kind, 400, 1);
    std::vector<Solution> solutions;
    for (const std::size_t threads : {1, 2}) {
      ThreadPool pool(threads);
      MergingConstructor constructor(model, threads, 64);
      Rollout rollout;
      MergingTask task;
      task.instance = &instance;
      task.rollout = &rollout;
      constructor.build({&task, 1}, pool, {});
      EXPECT_TRUE(rollout.complete);
      EXPECT_TRUE(check(instance, rollout.solution).feasible);
      solutions.push_back(rollout.solution);
    }
    EXPECT_EQ(solutions[0], solutions[1]);
  }
}

// The rim is as far as one layer looks: with candidates alone and no order to scan, blocks would
// change nothing; here they may, but every node must have its own nearest candidates.
TEST(Merging, ABlockKnowsTheNearestOfEachOfItsNodes) {
  const Instance instance = instance_of(ProblemKind::tsp, 600, 4);
  const Fragments state(instance);
  const View view(instance);
  MergeInputBuilder builder;
  MergeInput whole;
  whole.clear(false, 12);
  builder.append(state, view, {}, whole);
  std::vector<std::vector<NodeId>> nearest(instance.size());
  for (std::size_t row = 0; row < whole.tokens(); ++row) {
    for (std::size_t a = 0; a < whole.count[row]; ++a) {
      nearest[whole.node[row].index()].push_back(whole.node[whole.candidates[row * 12 + a]]);
    }
  }
  BlockedChoices choices(false, 12, 100);
  const std::size_t blocks = choices.divide(state, {});
  EXPECT_EQ(blocks, 6U);
  for (std::size_t block = 0; block < blocks; ++block) {
    MergeInput part;
    part.clear(false, 12);
    builder.append(state, view, choices.seen_in(block), part);
    const std::vector<float> even(part.tokens() * 12, 0.0F);
    choices.take(block, part, even);
  }
  const Choices all = choices.view();
  ASSERT_EQ(all.node.size(), instance.size());
  for (std::size_t row = 0; row < all.node.size(); ++row) {
    const auto& expected = nearest[all.node[row].index()];
    ASSERT_EQ(all.count[row], expected.size());
    for (std::size_t a = 0; a < expected.size(); ++a) {
      EXPECT_EQ(all.node[all.candidates[row * 12 + a]], expected[a]);
    }
  }
}

}  // namespace
}  // namespace eco
