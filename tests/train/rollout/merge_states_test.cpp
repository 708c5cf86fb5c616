#include "train/rollout/merge_states.h"

#include <gtest/gtest.h>

#include "core/instance/generate.h"
#include "core/model/weights.h"
#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "train/data/expert.h"
#include "train/data/merge_batch.h"

namespace eco::train {
namespace {

std::vector<Instance> labelled_instances(ProblemKind kind, std::size_t count) {
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < count; ++i) {
    GeneratorOptions options;
    options.kind = kind;
    options.nodes = 15 + 6 * i;
    instances.push_back(generate(options, i));
    label_instance(instances.back(), 500, i);
  }
  return instances;
}

PackedModel small_model(ProblemKind kind) {
  ModelConfig config = best_preset(kind);
  config.dim = 32;
  config.scorer_dim = 16;
  return PackedModel(random_weights(config, 3));
}

// Every edge of the state is an edge of the solution.
void expect_continues(const Fragments& state, const Solution& solution) {
  const Instance& instance = state.instance();
  EXPECT_TRUE(check(instance, solution).feasible);
  const Partners partners(instance, solution);
  for (std::size_t i = instance.has_depot() ? 1 : 0; i < instance.size(); ++i) {
    const NodeId node(i);
    std::vector<NodeId> left(partners.of(node).begin(), partners.of(node).end());
    for (std::size_t e = 0; e < state.degree(node); ++e) {
      const auto found = std::find(left.begin(), left.end(), state.edges(node)[e]);
      ASSERT_NE(found, left.end()) << i;
      left.erase(found);
    }
  }
}

TEST(MergeStates, EveryLabelGoesOnFromItsState) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const auto instances = labelled_instances(kind, 6);
    ThreadPool pool(2);
    for (const double free : {0.0, 1.0}) {
      const MergeVisit visit = visit_states(small_model(kind), instances, {free, 0.1, 7}, pool);
      ASSERT_FALSE(visit.examples.empty());
      for (const MergeExample& example : visit.examples) {
        expect_continues(example.state, example.label);
      }
      EXPECT_EQ(visit.relabelled > 0, free > 0);
      EXPECT_EQ(visit.wrong_links > 0, free > 0);
    }
  }
}

TEST(MergeStates, WhatBecameOfAStateServesTheStatesBeforeIt) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const auto instances = labelled_instances(kind, 6);
    ThreadPool pool(1);
    for (const Instance& instance : instances) {
      const MergeVisit visit =
          visit_states(small_model(kind), std::span(&instance, 1), {1, 0.1, 7}, pool);
      double before = 0;
      for (const MergeExample& example : visit.examples) {
        const double length = cost(instance, example.label);
        EXPECT_GE(length, before * (1 - 1e-12));
        before = length;
      }
      EXPECT_LE(visit.wrong_links, visit.free_links);
    }
  }
}

TEST(MergeStates, APairGoesOnFromItsStateAndTheWinnerIsShorter) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const auto instances = labelled_instances(kind, 8);
    ThreadPool pool(2);
    for (const PairWinner winner :
         {PairWinner::expert, PairWinner::local_search, PairWinner::sample}) {
      MergeStateOptions options{1, 0.1, 7, MergePairOptions{}};
      options.pairs->expert = winner == PairWinner::expert ? 1 : 0;
      options.pairs->local_search = winner == PairWinner::local_search ? 1 : 0;
      options.pairs->samples = 4;
      std::size_t pairs = 0;
      for (const MergeExample& example :
           visit_states(small_model(kind), instances, options, pool).examples) {
        EXPECT_EQ(example.winner, winner);
        if (!example.loser) continue;
        ++pairs;
        expect_continues(example.state, example.label);
        expect_continues(example.state, *example.loser);
        const Instance& instance = example.state.instance();
        const double better = cost(instance, example.label), own = cost(instance, *example.loser);
        EXPECT_LT(better, own);
        EXPECT_NEAR(example.margin, 100 * (own - better) / own, 1e-9);
      }
      EXPECT_GT(pairs, 0U) << static_cast<int>(winner);
    }
  }
}

TEST(MergeStates, AreAFunctionOfTheSeedWhateverTheThreads) {
  const auto instances = labelled_instances(ProblemKind::cvrp, 5);
  std::vector<MergeVisit> visits;
  for (const std::size_t threads : {1, 3}) {
    ThreadPool pool(threads);
    visits.push_back(visit_states(small_model(ProblemKind::cvrp), instances, {0.5, 0.1, 7}, pool));
  }
  ASSERT_EQ(visits[0].examples.size(), visits[1].examples.size());
  for (std::size_t i = 0; i < visits[0].examples.size(); ++i) {
    EXPECT_EQ(visits[0].examples[i].label, visits[1].examples[i].label);
    EXPECT_EQ(visits[0].examples[i].state.open_nodes(), visits[1].examples[i].state.open_nodes());
  }
}

TEST(MergeBatch, AsksEveryOpenNodeForThePartnersItLacks) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = labelled_instances(kind, 3).back();
    const Partners partners(instance, *instance.reference);
    Fragments state(instance);
    // Some links of the label.
    for (std::size_t i = 1; i < instance.size(); i += 3) {
      const NodeId node(i), partner = partners.of(node)[0];
      if (state.can_link(node, partner)) state.link(node, partner);
      if (instance.has_depot() && partner == kDepot && state.open(node)) state.send_home(node);
    }
    MergeInput input;
    MergeInputBuilder builder;
    input.clear(instance.has_depot(), instance.size());  // everybody is a candidate
    builder.append(state, View(instance), {}, input);
    std::vector<float> target;
    append_target(state, partners, 3.0, input, target);
    for (std::size_t row = input.fixed(); row < input.tokens(); ++row) {
      const NodeId node = input.node[row];
      double sum = 0;
      for (std::size_t slot = 0; slot < input.count[row]; ++slot) {
        const float value = target[row * input.width + slot];
        const NodeId there = input.node[input.candidates[row * input.width + slot]];
        sum += value;
        EXPECT_TRUE(value == 0 || partners.linked(node, there));
      }
      EXPECT_NEAR(sum, 3.0, 1e-5) << node.index();
    }
  }
}

}  // namespace
}  // namespace eco::train
