// Open paths: the rules, the state and the states of merging.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/problem/fragments.h"
#include "core/problem/problem.h"

namespace eco {
namespace {

// On a line, so that lengths are plain.
Instance line_of(std::size_t nodes) {
  Instance instance;
  instance.kind = ProblemKind::path;
  for (std::size_t i = 0; i < nodes; ++i) instance.points.push_back({static_cast<double>(i), 0});
  return instance;
}

Solution nodes_in(std::initializer_list<std::size_t> nodes) {
  Solution solution;
  for (const std::size_t node : nodes) solution.sequence.emplace_back(node);
  return solution;
}

TEST(PathCheck, CountsNoEdgeBackToTheStart) {
  const Instance instance = line_of(4);
  EXPECT_EQ(check(instance, nodes_in({0, 1, 2, 3})).cost, 3);
  EXPECT_EQ(check(instance, nodes_in({1, 0, 3, 2})).cost, 5);
  EXPECT_EQ(cost(instance, nodes_in({1, 0, 3, 2})), 5);
  EXPECT_EQ(check(line_of(1), nodes_in({0})).cost, 0);
}

TEST(PathCheck, SaysWhichEndIsWrong) {
  Instance instance = line_of(4);
  instance.start = NodeId(1);
  EXPECT_EQ(check(instance, nodes_in({0, 1, 2, 3})).reason,
            "the path starts at node 1, expected node 2");
  instance.end = NodeId(3);
  EXPECT_EQ(check(instance, nodes_in({1, 3, 2, 0})).reason,
            "the path ends at node 1, expected node 4");
  EXPECT_TRUE(check(instance, nodes_in({1, 0, 2, 3})).feasible);
  EXPECT_EQ(check(instance, nodes_in({1, 0, 3})).reason, "node 3 is never visited");
}

TEST(PathValidate, RefusesEndsThatAreNone) {
  Instance instance = line_of(3);
  instance.start = NodeId(3);
  EXPECT_THROW(validate(instance), Error);
  instance.start = instance.end = NodeId(1);
  EXPECT_THROW(validate(instance), Error);
  instance.end = NodeId(2);
  EXPECT_NO_THROW(validate(instance));
  instance.kind = ProblemKind::tsp;
  EXPECT_THROW(validate(instance), Error) << "a tour has no ends";
}

TEST(PathState, KeepsTheEndForTheLastStep) {
  Instance instance = line_of(4);
  instance.start = NodeId(2);
  instance.end = NodeId(0);
  PathState state(instance);
  EXPECT_FALSE(state.feasible(NodeId(2)) || state.feasible(NodeId(0)));
  state.step(NodeId(1));
  EXPECT_FALSE(state.feasible(NodeId(0)));
  state.step(NodeId(3));
  EXPECT_TRUE(state.feasible(NodeId(0)));
  state.step(NodeId(0));
  EXPECT_TRUE(state.done());
}

// Links made at random as long as there are any, for every way to give the ends.
TEST(PathFragments, EveryWayOfMergingEndsInAPathBetweenTheGivenEnds) {
  Rng rng(3, 0);
  for (std::size_t nodes = 1; nodes < 12; ++nodes) {
    for (unsigned ends = 0; ends < (nodes > 1 ? 4U : 1U); ++ends) {
      for (int round = 0; round < 20; ++round) {
        Instance instance = line_of(nodes);
        if ((ends & 1U) != 0) instance.start = NodeId(nodes / 2);
        if ((ends & 2U) != 0) instance.end = NodeId(nodes - 1 == nodes / 2 ? 0 : nodes - 1);
        validate(instance);
        Fragments state(instance);
        while (state.links_left() > 0) {
          const NodeId a(rng.below(static_cast<std::uint32_t>(nodes)));
          const NodeId b(rng.below(static_cast<std::uint32_t>(nodes)));
          if (state.can_link(a, b)) state.link(a, b);
        }
        const CheckResult result = check(instance, state.finish());
        EXPECT_TRUE(result.feasible) << result.reason << " of " << nodes << " ends " << ends;
      }
    }
  }
}

TEST(PathFragments, KeepEveryLinkThatWasMade) {
  const Instance instance = line_of(5);
  Fragments state(instance);
  state.link(NodeId(0), NodeId(4));
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 3}}) {
    state.link(NodeId(static_cast<std::size_t>(a)), NodeId(static_cast<std::size_t>(b)));
  }
  EXPECT_EQ(check(instance, state.finish()).cost, 7) << "also the one over the whole line";
}

}  // namespace
}  // namespace eco
