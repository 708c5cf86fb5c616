// Open paths by a policy: of their own, and of the TSP, which serves them.

#include <gtest/gtest.h>

#include <memory>

#include "core/infer/engine.h"
#include "core/instance/generate.h"

namespace eco {
namespace {

TEST(PathEngine, EveryPolicyOfThePathAndOfTheTspSolvesPathsFeasibly) {
  std::vector<Instance> instances;
  for (const std::size_t nodes : {1, 2, 3, 5, 40}) {
    for (unsigned ends = 0; ends < (nodes > 1 ? 4U : 1U); ++ends) {
      GeneratorOptions options;
      options.kind = ProblemKind::path;
      options.nodes = nodes;
      Instance& instance = instances.emplace_back(generate(options, nodes));
      if ((ends & 1U) != 0) instance.start = NodeId(0);
      if ((ends & 2U) != 0) instance.end = NodeId(nodes - 1);
    }
  }
  GeneratorOptions tour;
  tour.nodes = 20;
  instances.push_back(generate(tour, 1));  // and a tour among them
  std::vector<const Instance*> paths;
  for (const Instance& instance : instances) paths.push_back(&instance);
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::path}) {
    if (kind == ProblemKind::path) paths.pop_back();
    for (ModelConfig config : {paper_preset(kind), best_preset(kind), lehd_preset(kind)}) {
      config.dim = 32;
      config.heads = 2;
      Engine engine(std::make_shared<const Weights>(random_weights(config, 3)), 2);
      std::vector<Decode> methods{Decode::greedy, Decode::sample, Decode::augment};
      if (config.constructor == ConstructorKind::sequential) {
        methods.push_back(Decode::multistart);
        methods.push_back(Decode::beam);
        methods.push_back(Decode::reconstruct);
      }
      for (const Decode method : methods) {
        DecodeOptions decode;
        decode.method = method;
        decode.samples = 4;
        const auto rollouts = engine.run(paths, decode);  // checks every solution
        for (const auto& one : rollouts) EXPECT_TRUE(one.front().complete);
      }
    }
  }
}

TEST(PathEngine, TheLongestEdgeIsTheOneThatIsLeftOut) {
  GeneratorOptions options;
  options.kind = ProblemKind::path;
  options.nodes = 50;
  const Instance instance = generate(options, 4);
  const Instance* one = &instance;
  Engine engine(std::make_shared<const Weights>(random_weights(best_preset(ProblemKind::tsp), 3)),
                1);
  const auto rollouts = engine.run({&one, 1}, {});
  const auto& nodes = rollouts[0][0].solution.sequence;
  const double left_out = instance.distance(nodes.back(), nodes.front());
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    EXPECT_LE(instance.distance(nodes[i - 1], nodes[i]), left_out);
  }
}

TEST(PathEngine, WhatTheClockCutsShortIsAPathToo) {
  GeneratorOptions options;
  options.kind = ProblemKind::path;
  options.nodes = 60;
  Instance instance = generate(options, 1);
  instance.start = NodeId(3);
  instance.end = NodeId(9);
  const Instance* one = &instance;
  for (const ModelConfig& config :
       {paper_preset(ProblemKind::tsp), best_preset(ProblemKind::tsp)}) {
    Engine engine(std::make_shared<const Weights>(random_weights(config, 3)), 1);
    const auto rollouts = engine.run({&one, 1}, {}, Deadline::after(-1));
    EXPECT_FALSE(rollouts[0][0].complete);
    EXPECT_GT(rollouts[0][0].cost, 0);
  }
}

}  // namespace
}  // namespace eco
