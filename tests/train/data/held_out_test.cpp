#include "train/data/held_out.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "temporary_folder.h"
#include "train/data/instance_source.h"

namespace eco::train {
namespace {

class HeldOut : public testing::Test {
 protected:
  static TrainConfig small(ProblemKind problem = ProblemKind::tsp) {
    TrainConfig config;
    config.problem = problem;
    config.validate.count = 5;
    config.validate.effort = 50;
    return config;
  }
  // Makes the sets of 12 and 20 nodes and counts the labels that had to be made.
  std::vector<HeldOutSet> make(const TrainConfig& config, std::size_t& made) {
    made = 0;
    double before = -1;
    const HeldOutOptions options{folder_.path("held-out"),
                                 [&](double share) {
                                   EXPECT_GT(share, before);
                                   EXPECT_LE(share, 1);
                                   if (share > 0) ++made;
                                   before = share;
                                 },
                                 {}};
    return make_held_out(config, {12, 20}, options, pool_);
  }

  TemporaryFolder folder_;
  ThreadPool pool_{2};
};

TEST_F(HeldOut, SetsAreLabelledOnceAndComeBackAsTheyWere) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    TrainConfig config = small(problem);
    // Distances of this one are rounded, which no label says.
    config.data.distribution = {{Distribution::x, 1}};
    std::size_t made = 0;
    const auto sets = make(config, made);
    EXPECT_EQ(made, 10U);
    ASSERT_EQ(sets.size(), 2U);
    for (const HeldOutSet& set : sets) {
      ASSERT_EQ(set.instances.size(), 5U);
      for (const Instance& instance : set.instances) {
        EXPECT_EQ(require_feasible(instance, *instance.reference), *instance.reference_cost);
      }
    }
    const auto again = make(config, made);
    EXPECT_EQ(made, 0U);
    EXPECT_EQ(content_of(again), content_of(sets));
    config.validate.count = 7;
    (void)make(config, made);
    EXPECT_EQ(made, 4U);  // two more of each
  }
}

TEST_F(HeldOut, OtherLabelsHaveAnotherFileAndAnotherContent) {
  std::size_t made = 0;
  const auto sets = make(small(), made);
  const std::size_t files = folder_.files();
  TrainConfig seed = small(), effort = small();
  seed.validate.seed = 5;
  effort.validate.effort = 2000;
  for (const TrainConfig& other : {seed, effort}) {
    EXPECT_NE(content_of(make(other, made)), content_of(sets));
    EXPECT_EQ(made, 10U);
  }
  EXPECT_EQ(folder_.files(), 3 * files);
  EXPECT_EQ(content_of(make(small(), made)), content_of(sets));
  EXPECT_EQ(made, 0U);
}

TEST_F(HeldOut, StopsInTheMiddleOfALabelAndKeepsNoneThatIsNotFinished) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    TrainConfig config = small(problem);
    config.validate.effort = 1'000'000'000'000;  // days
    std::stop_source stop;
    std::jthread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop.request_stop();
    });
    const HeldOutOptions options{folder_.path("held-out"), {}, stop.get_token()};
    try {
      (void)make_held_out(config, {40}, options, pool_);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted) << error.what();
    }
    double first = -1;
    std::stop_source at_once;
    at_once.request_stop();
    const HeldOutOptions again{folder_.path("held-out"), [&](double share) { first = share; },
                               at_once.get_token()};
    EXPECT_THROW((void)make_held_out(config, {40}, again, pool_), Error);
    EXPECT_EQ(first, 0);  // all of them are still to be made
  }
}

TEST_F(HeldOut, SizesAreThoseAskedForOrThoseTrainedOn) {
  TrainConfig config = small();
  config.data.sizes = {{20, 1, 0}, {50, 1, 0.5}};
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(held_out_sizes(config, {20, 50}), (Sizes{20, 50}));
  config.validate.sizes = {{30, 1, 0}, {30, 1, 0}};
  EXPECT_EQ(held_out_sizes(config, {20, 50}), Sizes{30});
  // Files of many sizes, as TSPLIB's: nobody asked for sets of all of them.
  config.validate.sizes.clear();
  config.data.sizes.clear();
  EXPECT_EQ(held_out_sizes(config, {7, 8}), (Sizes{7, 8}));
  EXPECT_THROW((void)held_out_sizes(config, {5, 6, 7, 8, 9}), Error);
}

}  // namespace
}  // namespace eco::train
