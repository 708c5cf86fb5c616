#include "core/base/deadline.h"

#include <gtest/gtest.h>

#include <limits>

namespace eco {
namespace {

TEST(Deadline, NeverComesUnlessItIsSet) {
  const Deadline never;
  EXPECT_FALSE(never.limited());
  EXPECT_FALSE(never.reached());
  EXPECT_EQ(never.seconds_left(), std::numeric_limits<double>::infinity());
}

TEST(Deadline, OfNoTimeIsReachedAtOnce) {
  for (const double seconds : {0.0, -1.0, -1e300, -std::numeric_limits<double>::infinity()}) {
    const Deadline deadline = Deadline::after(seconds);
    EXPECT_TRUE(deadline.limited());
    EXPECT_TRUE(deadline.reached()) << seconds;
    EXPECT_LE(deadline.seconds_left(), 0) << seconds;
  }
}

TEST(Deadline, OfManyYearsIsFarAwayAndBeyondThatNone) {
  for (const double seconds : {1e6, 9e8}) {
    const Deadline deadline = Deadline::after(seconds);
    EXPECT_FALSE(deadline.reached()) << seconds;
    EXPECT_NEAR(deadline.seconds_left(), seconds, 1e3) << seconds;
  }
  for (const double seconds : {1e10, 1e18, 1e300, std::numeric_limits<double>::infinity()}) {
    const Deadline deadline = Deadline::after(seconds);
    EXPECT_FALSE(deadline.limited()) << seconds;
    EXPECT_FALSE(deadline.reached()) << seconds;
  }
}

TEST(Deadline, MayBeBroughtForward) {
  EXPECT_TRUE(Deadline::after(10).sooner_by(11).reached());
  EXPECT_FALSE(Deadline::after(10).sooner_by(1).reached());
  EXPECT_LT(Deadline::after(10).sooner_by(1).seconds_left(), 9.001);
  EXPECT_FALSE(Deadline().sooner_by(1e300).reached());
  EXPECT_TRUE(Deadline::after(10).sooner_by(1e300).reached());
}

TEST(Deadline, IsReachedByCancellationWhateverTheTime) {
  std::stop_source stop;
  const Deadline late = Deadline::after(1e6, stop.get_token());
  const Deadline never = Deadline::after(1e300, stop.get_token());
  EXPECT_FALSE(late.reached());
  EXPECT_FALSE(never.reached());
  stop.request_stop();
  EXPECT_TRUE(late.reached());
  EXPECT_TRUE(never.reached());
}

}  // namespace
}  // namespace eco
