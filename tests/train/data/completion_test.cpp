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
  second.current = NodeId(3);
  second.destination = NodeId(7);
  second.end = 1;
  second.unvisited = 17;
  second.nodes = {NodeId(1)};
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
    const Segment done = completed(state, reversed, 0.2, 500, 9);
    EXPECT_EQ(done.current, reversed ? state.destination : state.current);
    EXPECT_EQ(done.destination, reversed ? state.current : state.destination);
    IlsOptions options;
    options.iterations = 500;
    options.seed = 9;
    const auto way = solve_path(instance, done.current, state.unvisited, done.destination, options);
    ASSERT_EQ(done.path.size(), forced_steps(17, 0.2));
    EXPECT_TRUE(std::equal(done.path.begin(), done.path.end(), way.begin()));
  }
}

}  // namespace
}  // namespace eco::train
