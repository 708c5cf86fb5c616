#include "core/problem/fragments.h"

#include <gtest/gtest.h>

#include <set>

#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"

namespace eco {
namespace {

Instance fragment_instance(ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  return generate(options, index);
}

NodeId random_node(const Instance& instance, Rng& rng) {
  return NodeId(rng.below(static_cast<std::uint32_t>(instance.size())));
}

// The nodes of the fragment of an open node, by walking its edges; ends at the depot or an open
// end.
std::vector<NodeId> walk_from(const Fragments& state, NodeId start) {
  std::vector<NodeId> path{start};
  NodeId before = start;
  NodeId here = start;
  bool first = true;
  for (;;) {
    std::size_t next = 2;
    for (std::size_t i = 0; i < state.degree(here); ++i) {
      if (first || state.edges(here)[i] != before) next = i;
    }
    if (next == 2) return path;
    before = here;
    here = state.edges(here)[next];
    first = false;
    if (state.has_depot() && here == kDepot) return path;
    path.push_back(here);
    if (state.open(here)) return path;
  }
}

// Everything that a state says of its open nodes, found by walking.
void expect_consistent(const Fragments& state) {
  const Instance& instance = state.instance();
  std::size_t open = 0;
  for (std::size_t i = instance.has_depot() ? 1 : 0; i < instance.size(); ++i) {
    const NodeId node(i);
    if (!state.open(node)) continue;
    ++open;
    if (state.degree(node) == 0) {
      EXPECT_EQ(state.other(node), node);
      EXPECT_FALSE(state.far_end_home(node));
    }
    const auto path = walk_from(state, node);
    const bool home = state.degree(node) == 1 && !(path.size() > 1 && state.open(path.back()));
    EXPECT_EQ(state.far_end_home(node), home);
    EXPECT_TRUE(home || state.other(node) == path.back());
    EXPECT_EQ(std::set<NodeId>(path.begin(), path.end()).size(), path.size());
    if (!instance.has_depot()) continue;
    std::int64_t load = 0;
    for (const NodeId visited : path) load += instance.demands[visited.index()];
    EXPECT_EQ(state.load(node), load);
    EXPECT_LE(load, instance.capacity);
  }
  EXPECT_EQ(state.open_nodes(), open);
}

TEST(Fragments, StayPathsWithTheirLoadsUnderAnyLegalMerges) {
  Rng rng(4);
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (std::size_t index = 0; index < 40; ++index) {
      const Instance instance = fragment_instance(kind, 1 + index % 23, index);
      Fragments state(instance);
      expect_consistent(state);
      for (std::size_t tries = 0; tries < 6 * instance.size(); ++tries) {
        const NodeId a = random_node(instance, rng), b = random_node(instance, rng);
        if (state.can_link(a, b)) {
          state.link(a, b);
        } else if (instance.has_depot() && a != kDepot && state.open(a) && rng.below(9) == 0) {
          state.send_home(a);
        }
        expect_consistent(state);
      }
    }
  }
}

TEST(Fragments, EveryStateCanBeFinishedFeasibly) {
  Rng rng(8);
  for (std::size_t index = 0; index < 200; ++index) {
    const Instance instance = fragment_instance(ProblemKind::cvrp, 1 + index % 31, index);
    Fragments state(instance);
    for (std::size_t tries = rng.below(100); tries > 0; --tries) {
      const NodeId a = random_node(instance, rng), b = random_node(instance, rng);
      if (state.can_link(a, b)) state.link(a, b);
      if (a != kDepot && state.open(a) && rng.below(6) == 0) state.send_home(a);
    }
    const CheckResult result = check(instance, state.finish());
    EXPECT_TRUE(result.feasible) << result.reason;
  }
}

TEST(Fragments, OnePathOverAllNodesFinishesAsATour) {
  Rng rng(9);
  for (std::size_t nodes = 1; nodes < 40; ++nodes) {
    const Instance instance = fragment_instance(ProblemKind::tsp, nodes, nodes);
    Fragments state(instance);
    while (state.links_left() > 0) {
      const NodeId a = random_node(instance, rng), b = random_node(instance, rng);
      if (state.can_link(a, b)) state.link(a, b);
    }
    const CheckResult result = check(instance, state.finish());
    EXPECT_TRUE(result.feasible) << result.reason;
  }
}

TEST(Fragments, AreNeverLinkedToThemselvesOrBeyondTheCapacity) {
  Instance instance = fragment_instance(ProblemKind::cvrp, 4, 1);
  instance.capacity = 10;
  instance.demands = {0, 4, 4, 4, 10};
  Fragments state(instance);
  const NodeId a(1), b(2), c(3), full(4);
  EXPECT_FALSE(state.can_link(a, a));
  EXPECT_FALSE(state.can_link(a, kDepot));
  EXPECT_FALSE(state.can_link(a, full));
  state.link(a, b);
  EXPECT_FALSE(state.can_link(a, b));
  EXPECT_FALSE(state.can_link(a, c));  // 12 of 10
  EXPECT_EQ(state.open_load(), 22);
  state.send_home(a);
  EXPECT_TRUE(state.far_end_home(b));
  state.send_home(b);
  EXPECT_EQ(state.open_load(), 14);
}

}  // namespace
}  // namespace eco
