#include "report/progress.h"

#include <gtest/gtest.h>

namespace eco {
namespace {

TEST(TimeLeft, DoesNotReckonWithWhatCameBeforeTheFirstStep) {
  // 100 steps of a second each, after 60 seconds of preparation that the first one includes.
  TimeLeft left;
  EXPECT_FALSE(left.seconds(0.01, 61).has_value());
  EXPECT_NEAR(left.seconds(0.02, 62).value(), 98, 1e-9);
  EXPECT_NEAR(left.seconds(0.5, 110).value(), 50, 1e-9);
  EXPECT_NEAR(left.seconds(1, 160).value(), 0, 1e-9);
}

TEST(TimeLeft, OfAResumedRunIsByThePaceOfThisProcess) {
  TimeLeft left;
  EXPECT_FALSE(left.seconds(0.5, 1000).has_value());
  EXPECT_FALSE(left.seconds(0.5, 1010).has_value());  // within a round nothing is done
  EXPECT_NEAR(left.seconds(0.6, 1020).value(), 80, 1e-9);
}

TEST(Duration, ShowsTheTwoLargestUnits) {
  EXPECT_EQ(duration_text(12.4), "12s");
  EXPECT_EQ(duration_text(200), "3m20s");
  EXPECT_EQ(duration_text(7500), "2h05m");
}

}  // namespace
}  // namespace eco
