#include "train/data/completion.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/expert/tsp/path.h"
#include "train/data/random_instance.h"
#include "train/data/random_segment.h"

namespace eco::train {
namespace {

// Two segments of a rollout of 20 nodes that starts at node 3 and moves first one end, then the
// other.
Rollout two_segments() {
  Rollout rollout;
  eco::Segment first, second;
  first.current = first.destination = NodeId(3);
  first.unvisited = 19;
  first.nodes = {NodeId(5), NodeId(7)};
  first.via_depot = {0, 0};  // as the engine fills it
  second.current = NodeId(3);
  second.destination = NodeId(7);
  second.end = 1;
  second.unvisited = 17;
  second.nodes = {NodeId(1)};
  second.via_depot = {0};
  rollout.segments = {first, second};
  return rollout;
}

TEST(Completion, StatesHoldWhatWasNotVisited) {
  const Instance instance = random_instance(ProblemKind::tsp, 20, 1);
  const auto states = visited_states(instance, two_segments());
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states[0].unvisited.size(), 19U);
  EXPECT_EQ(states[1].current, NodeId(3));
  EXPECT_EQ(states[1].destination, NodeId(7));
  ASSERT_EQ(states[1].unvisited.size(), 17U);
  for (const std::size_t gone : {3U, 5U, 7U}) {
    EXPECT_EQ(std::count(states[1].unvisited.begin(), states[1].unvisited.end(), NodeId(gone)), 0);
  }
}

TEST(Completion, IsTheBeginningOfTheExpertsWayFromEitherEnd) {
  const Instance instance = random_instance(ProblemKind::tsp, 20, 1);
  const Segment state = visited_states(instance, two_segments())[1];
  for (const bool reversed : {false, true}) {
    const Segment done = completed_tour(state, reversed, {0.2, 500, 0}, 9);
    EXPECT_EQ(done.current, reversed ? state.destination : state.current);
    EXPECT_EQ(done.destination, reversed ? state.current : state.destination);
    IlsOptions options;
    options.iterations = 500;
    options.seed = 9;
    const auto way = solve_path(instance, done.current, state.unvisited, done.destination, options);
    ASSERT_EQ(done.path.size(), forced_steps(ProblemKind::tsp, 17, 0.2));
    EXPECT_TRUE(done.via.empty());  // a tour has no depot
    EXPECT_TRUE(std::equal(done.path.begin(), done.path.end(), way.begin()));
  }
}

// A rollout of one customer a route, in input order, encoded at 10, 6 and 3 customers to go.
Rollout one_customer_routes() {
  Rollout rollout;
  std::size_t node = 1;
  for (const std::size_t after : {6U, 3U, 0U}) {
    eco::Segment segment;
    segment.unvisited = 11 - node;
    for (; node <= 10 - after; ++node) {
      segment.nodes.emplace_back(node);
      segment.via_depot.push_back(node > 1 ? 1 : 0);
    }
    rollout.segments.push_back(segment);
  }
  return rollout;
}

TEST(Completion, OfAPlanGoesOnFromTheLastVisitToTheDepot) {
  const Instance instance = random_instance(ProblemKind::cvrp, 10, 4);
  Rng rng(1);
  const std::size_t chosen[] = {4, 7};
  const auto states = completed_plan(instance, one_customer_routes(), chosen, {1.0, 200, 0}, rng);
  ASSERT_EQ(states.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t open = i == 0 ? 6 : 3;
    EXPECT_EQ(states[i].current, NodeId(10 - open));
    EXPECT_EQ(states[i].destination, kDepot);
    std::vector<NodeId> customers = states[i].path;
    std::sort(customers.begin(), customers.end());
    ASSERT_EQ(customers.size(), open);
    EXPECT_EQ(customers.front(), NodeId(11 - open));
    EXPECT_EQ(states[i].via.front(), 1);
    // The loads of the expert's routes fit.
    std::int64_t left = 0;
    for (std::size_t step = 0; step < open; ++step) {
      if (states[i].via[step] != 0) left = instance.capacity;
      left -= instance.demands[states[i].path[step].index()];
      EXPECT_GE(left, 0);
    }
  }
}

TEST(Completion, OneExpertServesLaterStatesToo) {
  const Instance instance = random_instance(ProblemKind::cvrp, 10, 4);
  Rng rng(1);
  const std::size_t chosen[] = {0, 4};
  const auto states = completed_plan(instance, one_customer_routes(), chosen, {1.0, 200, 1}, rng);
  ASSERT_EQ(states.size(), 2U);
  // The second state is the first one's plan, four customers on.
  EXPECT_EQ(states[1].current, states[0].path[3]);
  EXPECT_TRUE(std::equal(states[1].path.begin(), states[1].path.end(), states[0].path.begin() + 4));
}

}  // namespace
}  // namespace eco::train
