#include "core/model/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/base/rng.h"

namespace eco {
namespace {

constexpr std::size_t kCandidates = 16;

Instance random_instance(ProblemKind kind, std::size_t nodes, std::uint64_t seed) {
  Rng rng(seed, 99);
  Instance instance;
  instance.kind = kind;
  for (std::size_t i = 0; i < nodes; ++i) {
    instance.points.push_back({3 * rng.uniform() - 7, 2 * rng.uniform() + 40});
  }
  if (kind == ProblemKind::cvrp) {
    instance.capacity = 20;
    instance.demands.assign(nodes, 0);
    for (std::size_t i = 1; i < nodes; ++i) instance.demands[i] = rng.between(1, 9);
  }
  return instance;
}

// Everything but node 0 is unvisited; 0 is both ends, as at the start of a construction.
std::vector<NodeId> all_but_first(const Instance& instance) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 1; i < instance.size(); ++i) nodes.emplace_back(i);
  return nodes;
}

SubProblem opening(const Instance& instance) {
  SubProblem sub;
  sub.build(instance, {NodeId(0), all_but_first(instance), NodeId(0), instance.capacity});
  return sub;
}

TEST(SubProblem, HoldsEveryNodeAndBothEnds) {
  const Instance instance = random_instance(ProblemKind::tsp, 37, 1);
  const SubProblem sub = opening(instance);
  ASSERT_EQ(sub.size(), 38U);
  std::multiset<NodeId> nodes(sub.nodes().begin(), sub.nodes().end());
  EXPECT_EQ(nodes.count(NodeId(0)), 2U);
  for (std::size_t i = 1; i < 37; ++i) EXPECT_EQ(nodes.count(NodeId(i)), 1U);
  EXPECT_EQ(sub.nodes()[sub.current()], NodeId(0));
  EXPECT_EQ(sub.nodes()[sub.destination()], NodeId(0));
  EXPECT_NE(sub.current(), sub.destination());
}

TEST(SubProblem, FillsTheUnitSquareByItsLargerSide) {
  const SubProblem sub = opening(random_instance(ProblemKind::tsp, 50, 2));
  double high = 0;
  for (const Point& p : sub.points()) {
    EXPECT_GE(std::min(p.x, p.y), 0.0);
    high = std::max({high, p.x, p.y});
  }
  EXPECT_DOUBLE_EQ(high, 1.0);
}

TEST(SubProblem, DoesNotChangeWhenTheInstanceIsMovedAndScaled) {
  Instance instance = random_instance(ProblemKind::tsp, 40, 3);
  const SubProblem before = opening(instance);
  for (Point& p : instance.points) p = {8 * p.x + 1024, 8 * p.y - 512};
  const SubProblem after = opening(instance);
  for (std::size_t i = 0; i < before.features().size(); ++i) {
    ASSERT_NEAR(before.features()[i], after.features()[i], 1e-5);
  }
}

TEST(SubProblem, NeighboursAreTheNearestTokens) {
  const SubProblem sub = opening(random_instance(ProblemKind::tsp, 60, 4));
  for (std::size_t token = 0; token < sub.size(); ++token) {
    std::vector<double> distances;
    for (std::size_t other = 0; other < sub.size(); ++other) {
      if (other != token) distances.push_back(euclidean(sub.points()[token], sub.points()[other]));
    }
    std::sort(distances.begin(), distances.end());
    for (std::size_t k = 0; k < SubProblem::kNeighbours; ++k) {
      const std::size_t other = sub.neighbours_of(token)[k];
      ASSERT_DOUBLE_EQ(euclidean(sub.points()[token], sub.points()[other]), distances[k]);
    }
  }
}

TEST(SubProblem, ReversedEqualsBuildingFromTheOtherEnd) {
  const Instance instance = random_instance(ProblemKind::tsp, 40, 8);
  std::vector<NodeId> unvisited;
  for (std::size_t i = 2; i < 40; ++i) unvisited.emplace_back(i);
  SubProblem forward, reversed, expected;
  forward.build(instance, {NodeId(0), unvisited, NodeId(1), 0});
  reversed.build_reversed(forward);
  expected.build(instance, {NodeId(1), unvisited, NodeId(0), 0});
  EXPECT_EQ(reversed.current(), expected.current());
  EXPECT_EQ(reversed.destination(), expected.destination());
  EXPECT_TRUE(std::ranges::equal(reversed.features(), expected.features()));
  EXPECT_TRUE(std::ranges::equal(reversed.hilbert(), expected.hilbert()));
}

TEST(SubProblem, SurvivesTinyAndCoincidentInputs) {
  for (const std::size_t nodes : {2UL, 3UL, 5UL, 20UL}) {
    Instance instance = random_instance(ProblemKind::cvrp, nodes, 5);
    for (Point& p : instance.points) p = {1, 1};
    const SubProblem sub = opening(instance);
    for (const float f : sub.features()) ASSERT_TRUE(std::isfinite(f));
    CandidateWalk walk;
    walk.start(sub, kCandidates);
    while (walk.unvisited() > 0) {
      walk.propose();
      for (const float f : walk.features()) ASSERT_TRUE(std::isfinite(f));
      walk.step(walk.tokens()[0], !walk.direct(0));
    }
  }
}

TEST(CandidateWalk, ProposesTheNearestUnvisitedNearestFirst) {
  const SubProblem sub = opening(random_instance(ProblemKind::tsp, 80, 6));
  CandidateWalk walk;
  walk.start(sub, kCandidates);
  Rng rng(1);
  while (walk.unvisited() > 0) {
    walk.propose();
    std::vector<std::pair<double, std::uint32_t>> expected;
    for (std::uint32_t token = 0; token < sub.size(); ++token) {
      if (walk.visited(token)) continue;
      expected.emplace_back(euclidean(sub.points()[walk.current()], sub.points()[token]), token);
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(walk.tokens().size(), std::min(kCandidates, expected.size()));
    const float* f = walk.features().data();  // the first candidate's own nearest two, by hand
    std::vector<double> around;
    for (const auto& [distance, token] : expected) {
      if (token != expected[0].second) {
        around.push_back(euclidean(sub.points()[expected[0].second], sub.points()[token]) * f[2] /
                         expected[0].first);
      }
    }
    around.resize(std::max<std::size_t>(around.size(), 2), 0.0);
    std::sort(around.begin(), around.end());
    if (expected.size() > 2) {
      ASSERT_NEAR(f[11], std::min(10.0, around[0]), 1e-4);
      ASSERT_NEAR(f[12], std::min(10.0, around[1]), 1e-4);
    }
    for (std::size_t i = 0; i < walk.tokens().size(); ++i) {
      ASSERT_EQ(walk.tokens()[i], expected[i].second);
      ASSERT_NEAR(walk.distances()[i], expected[i].first * std::sqrt(81.0), 1e-5);
    }
    walk.step(walk.tokens()[rng.below(static_cast<std::uint32_t>(walk.tokens().size()))]);
  }
}

TEST(CandidateWalk, FeaturesOfACandidateSeeTheFrameTowardsTheDestination) {
  Instance instance;  // current at the origin, destination straight up, one candidate to its left
  instance.points = {{0, 0}, {0, 4}, {-1, 0}, {0, 1}};
  SubProblem sub;
  const std::vector<NodeId> unvisited{NodeId(2), NodeId(3)};
  sub.build(instance, {NodeId(0), unvisited, NodeId(1), 0});
  CandidateWalk walk;
  walk.start(sub, kCandidates);
  walk.propose();
  ASSERT_EQ(walk.tokens().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const float* f = walk.features().data() + i * candidate_feature_count(ProblemKind::tsp);
    const bool left = sub.nodes()[walk.tokens()[i]] == NodeId(2);
    // Both are one local unit away: ahead is +first axis, left of the heading is +second axis.
    EXPECT_NEAR(f[0], left ? 0.0 : 1.0, 1e-6);
    EXPECT_NEAR(f[1], left ? 1.0 : 0.0, 1e-6);
    EXPECT_NEAR(f[2], 1.0, 1e-6);
  }
}

TEST(CandidateWalk, CopiesThatPartDoNotSeeEachOther) {
  const Instance instance = random_instance(ProblemKind::cvrp, 60, 5);
  const SubProblem sub = opening(instance);
  CandidateWalk walk;
  walk.start(sub, kCandidates);
  walk.propose();
  walk.step(walk.tokens()[3]);
  walk.propose();
  walk.part();
  std::vector<CandidateWalk> lanes(3, walk);
  std::vector<CandidateWalk> alone(3);  // the same steps, each from a start of its own
  for (std::size_t i = 0; i < 3; ++i) {
    alone[i].start(sub, kCandidates);
    alone[i].propose();
    alone[i].step(alone[i].tokens()[3]);
    alone[i].propose();
  }
  const auto expect_same = [](const CandidateWalk& a, const CandidateWalk& b) {
    EXPECT_TRUE(std::ranges::equal(a.tokens(), b.tokens()));
    EXPECT_TRUE(std::ranges::equal(a.features(), b.features()));
    EXPECT_EQ(a.remaining(), b.remaining());
    EXPECT_EQ(a.unvisited(), b.unvisited());
  };
  for (std::size_t step = 0; step < 20; ++step) {
    for (std::size_t i = 0; i < 3; ++i) {
      expect_same(lanes[i], alone[i]);
      const std::size_t token = lanes[i].tokens()[(i + step) % 5];
      for (CandidateWalk* one : {&lanes[i], &alone[i]}) {
        one->step(token, one->remaining() < sub.demand(token));
        one->propose();
      }
    }
  }
  lanes[1].settle();
  while (lanes[1].unvisited() > 0) {
    expect_same(lanes[1], alone[1]);
    for (CandidateWalk* one : {&lanes[1], &alone[1]}) {
      one->step(one->tokens()[0], true);
      one->propose();
    }
  }
}

TEST(CandidateWalk, KeepsTheLoadAndAllowsTheDepotOnlyAfterACustomer) {
  const Instance instance = random_instance(ProblemKind::cvrp, 40, 7);
  const SubProblem sub = opening(instance);
  CandidateWalk walk;
  walk.start(sub, kCandidates);
  std::int64_t load = instance.capacity;
  bool first = true;
  while (walk.unvisited() > 0) {
    walk.propose();
    EXPECT_EQ(walk.via_depot(), !first);
    for (std::size_t i = 0; i < walk.tokens().size(); ++i) {
      const auto demand = instance.demands[sub.nodes()[walk.tokens()[i]].index()];
      ASSERT_EQ(walk.direct(i), demand <= load);
    }
    const std::size_t token = walk.tokens().back();
    const bool via = !walk.direct(walk.tokens().size() - 1);
    if (via) load = instance.capacity;
    load -= instance.demands[sub.nodes()[token].index()];
    walk.step(token, via);
    EXPECT_EQ(walk.remaining(), load);
    first = false;
  }
}

}  // namespace
}  // namespace eco
