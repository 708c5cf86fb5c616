#include "core/base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace eco {
namespace {

TEST(Rng, MatchesThePublishedPhiloxVectors) {
  // Known-answer values of Random123 for philox4x32-10: all-zero counter and key.
  Rng rng(0, 0);
  EXPECT_EQ(rng.next_u32(), 0x6627e8d5U);
  EXPECT_EQ(rng.next_u32(), 0xe169c58dU);
  EXPECT_EQ(rng.next_u32(), 0xbc57ac4cU);
  EXPECT_EQ(rng.next_u32(), 0x9b00dbd8U);
}

TEST(Rng, BelowStaysInRangeAndCoversIt) {
  Rng rng(3);
  std::vector<int> count(7, 0);
  for (int i = 0; i < 70000; ++i) ++count.at(rng.below(7));
  for (const int c : count) EXPECT_NEAR(c, 10000, 500);
}

TEST(Rng, NormalHasUnitMoments) {
  Rng rng(5);
  double sum = 0, squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.01);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.02);
}

TEST(Rng, WeightedDrawsFollowTheWeights) {
  Rng rng(3);
  const double weights[] = {0, 1, 0, 3, 0};
  std::array<int, 5> counts{};
  for (int i = 0; i < 4000; ++i) ++counts[rng.weighted(weights)];
  EXPECT_EQ(counts[0] + counts[2] + counts[4], 0);
  EXPECT_NEAR(counts[1], 1000, 120);
}

}  // namespace
}  // namespace eco
