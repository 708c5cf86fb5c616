#include "report/gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/base/rng.h"

namespace eco {
namespace {

TEST(Gap, IsPercentAboveTheReference) {
  EXPECT_DOUBLE_EQ(gap_percent(103, 100), 3);
  EXPECT_DOUBLE_EQ(gap_percent(99, 100), -1);
  EXPECT_EQ(gap_percent(0, 0), 0) << "all nodes at one point";
}

TEST(Gap, SummaryHasTheOrderStatistics) {
  const std::vector<double> gaps{4, 1, 3, 2};
  const GapSummary summary = summarise_gaps(gaps);
  EXPECT_EQ(summary.count, 4U);
  EXPECT_DOUBLE_EQ(summary.mean, 2.5);
  EXPECT_DOUBLE_EQ(summary.median, 2.5);
  EXPECT_EQ(summarise_gaps({}).count, 0U);
}

TEST(Bootstrap, IntervalOfAMeanMatchesTheNormalOne) {
  Rng rng(11);
  std::vector<double> values(400);
  double mean = 0, squares = 0;
  for (double& value : values) {
    value = 5 + 2 * rng.normal();
    mean += value / 400;
  }
  for (const double value : values) squares += (value - mean) * (value - mean) / 399;
  const double half_width = 1.96 * std::sqrt(squares / 400);
  const Interval interval = bootstrap_mean_ci95(values, 1, 4000);
  EXPECT_NEAR(interval.low, mean - half_width, 0.1 * half_width);
  EXPECT_NEAR(interval.high, mean + half_width, 0.1 * half_width);
}

TEST(Bootstrap, CoversTheTrueMeanAboutAsOftenAsItSays) {
  Rng rng(12);
  int covered = 0;
  constexpr int kTrials = 300;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(60);
    for (double& value : values) value = rng.uniform();
    const Interval interval = bootstrap_mean_ci95(values, static_cast<std::uint64_t>(trial), 300);
    covered += interval.low <= 0.5 && 0.5 <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, kTrials * 0.89);
  EXPECT_LT(covered, kTrials * 0.99);
}

TEST(Bootstrap, IsAFunctionOfTheSeedAndDegeneratesQuietly) {
  const std::vector<double> values{1, 2, 3, 5, 8};
  EXPECT_EQ(bootstrap_mean_ci95(values, 3).low, bootstrap_mean_ci95(values, 3).low);
  const std::vector<double> one{7};
  EXPECT_EQ(bootstrap_mean_ci95(one, 3).low, 7);
  EXPECT_EQ(bootstrap_mean_ci95(one, 3).high, 7);
  EXPECT_EQ(bootstrap_mean_ci95({}, 3).high, 0);
}

}  // namespace
}  // namespace eco
