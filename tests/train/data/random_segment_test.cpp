#include "train/data/random_segment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/model/window.h"
#include "train/data/expert.h"
#include "train/data/random_instance.h"

namespace eco::train {
namespace {

TEST(ForcedSteps, AreAShareOrAllOfFew) {
  EXPECT_EQ(forced_steps(ProblemKind::tsp, 100, 0.2), 20U);
  EXPECT_EQ(forced_steps(ProblemKind::tsp, 96, 0.2), 20U);
  EXPECT_EQ(forced_steps(ProblemKind::tsp, 9, 0.2), 2U);
  EXPECT_EQ(forced_steps(ProblemKind::tsp, 8, 0.2), 8U);
  EXPECT_EQ(forced_steps(ProblemKind::tsp, 1, 0.2), 1U);
  EXPECT_EQ(forced_steps(ProblemKind::cvrp, 100, 0.2), 20U);
  EXPECT_EQ(forced_steps(ProblemKind::cvrp, 30, 0.2), 12U);
  EXPECT_EQ(forced_steps(ProblemKind::cvrp, 9, 0.2), 9U);
}

TEST(RandomSegment, OfATourIsAStretchOfIt) {
  Instance instance = random_instance(ProblemKind::tsp, 30, 0);
  label_instance(instance, 50, 1);
  const auto& tour = instance.reference->sequence;
  std::vector<std::size_t> place(30);
  for (std::size_t i = 0; i < 30; ++i) place[tour[i].index()] = i;
  Rng rng(2);
  for (const std::size_t unvisited : {1U, 5U, 12U, 28U, 29U}) {
    const Segment segment = random_segment(instance, unvisited, 0.2, rng);
    ASSERT_EQ(segment.unvisited.size(), unvisited);
    EXPECT_EQ(segment.path.size(), forced_steps(ProblemKind::tsp, unvisited, 0.2));
    EXPECT_EQ(segment.current == segment.destination, unvisited == 29);
    std::vector<NodeId> walk = {segment.current};
    walk.insert(walk.end(), segment.unvisited.begin(), segment.unvisited.end());
    walk.push_back(segment.destination);
    const std::size_t step = (place[walk[1].index()] + 30 - place[walk[0].index()]) % 30;
    ASSERT_TRUE(step == 1 || step == 29);
    for (std::size_t i = 1; i < walk.size(); ++i) {
      EXPECT_EQ((place[walk[i].index()] + 30 - place[walk[i - 1].index()]) % 30, step);
    }
    EXPECT_TRUE(std::equal(segment.path.begin(), segment.path.end(), segment.unvisited.begin()));
  }
}

TEST(RandomSegment, InAWindowEndsWhereThePathLeavesIt) {
  Instance instance = random_instance(ProblemKind::tsp, 60, 0);
  label_instance(instance, 50, 1);
  Rng rng(2);
  std::size_t shortened = 0;
  for (int i = 0; i < 50; ++i) {
    const Segment whole = random_segment(instance, 50, 1.0, rng);
    Segment seen = whole;
    cut_to_window(seen, 12, 1.0);
    EXPECT_TRUE(seen.cut);
    EXPECT_EQ(seen.unvisited, window_of(instance, whole.current, whole.unvisited, 12));
    ASSERT_LE(seen.path.size(), 12U);
    EXPECT_TRUE(std::equal(seen.path.begin(), seen.path.end(), whole.path.begin()));
    const auto is_seen = [&](NodeId node) {
      return std::find(seen.unvisited.begin(), seen.unvisited.end(), node) != seen.unvisited.end();
    };
    EXPECT_TRUE(std::all_of(seen.path.begin(), seen.path.end(), is_seen));
    if (seen.path.size() == 12) continue;
    ++shortened;
    EXPECT_FALSE(is_seen(whole.path[seen.path.size()]));
  }
  EXPECT_GT(shortened, 10U);
  Segment few = random_segment(instance, 30, 0.2, rng);
  cut_to_window(few, 8, 0.2);  // all of 8 nodes would be learned, but the path has 6
  EXPECT_LE(few.path.size(), 6U);
  Segment small = random_segment(instance, 12, 0.5, rng);
  const Segment before = small;
  cut_to_window(small, 12, 0.5);
  EXPECT_FALSE(small.cut);
  EXPECT_EQ(small.path, before.path);
}

TEST(RandomSegment, OfRoutesKnowsWhatTheVehicleCanTake) {
  Instance instance = random_instance(ProblemKind::cvrp, 30, 0);
  label_instance(instance, 300, 1);
  Rng rng(2);
  for (const std::size_t unvisited : {1U, 5U, 12U, 29U, 30U}) {
    const Segment segment = random_segment(instance, unvisited, 1.0, rng);
    EXPECT_EQ(segment.destination, kDepot);
    EXPECT_EQ(segment.current == kDepot, unvisited == 30);
    ASSERT_EQ(segment.path.size(), unvisited);
    ASSERT_EQ(segment.via.size(), unvisited);
    std::int64_t left = segment.remaining;
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < unvisited; ++i) {
      if (segment.via[i] != 0) left = instance.capacity;
      left -= instance.demands[segment.path[i].index()];
      EXPECT_GE(left, 0);
      seen.insert(segment.path[i].index());
    }
    EXPECT_EQ(seen.size(), unvisited);
    if (unvisited == 30) {
      EXPECT_EQ(segment.via[0], 0);
    }
  }
}

}  // namespace
}  // namespace eco::train
