#include "core/ordering/curve.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace eco {
namespace {

TEST(Morton, InterleavesTheBits) {
  EXPECT_EQ(morton_key(0, 0), 0U);
  EXPECT_EQ(morton_key(1, 0), 1U);
  EXPECT_EQ(morton_key(0, 1), 2U);
  EXPECT_EQ(morton_key(0b101, 0b011), 0b011011U);
  EXPECT_EQ(morton_key(0xffffffffU, 0), 0x5555555555555555U);
  EXPECT_EQ(morton_key(0, 0xffffffffU), 0xaaaaaaaaaaaaaaaaU);
  EXPECT_EQ(morton_key(0x80000000U, 0x80000000U), 0xc000000000000000U);
}

TEST(Morton, AgreesWithBitByBitInterleaving) {
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t x = rng.next_u32(), y = rng.next_u32();
    std::uint64_t key = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      key |= std::uint64_t{(x >> bit) & 1U} << (2 * bit);
      key |= std::uint64_t{(y >> bit) & 1U} << (2 * bit + 1);
    }
    ASSERT_EQ(morton_key(x, y), key);
  }
}

TEST(Hilbert, StartsAndEndsAtTheLowerCorners) {
  EXPECT_EQ(hilbert_key(0, 0), 0U);
  EXPECT_EQ(hilbert_key(0xffffffffU, 0), 0xffffffffffffffffU);
}

TEST(Hilbert, WalksTheFirstSixteenCellsInTheKnownOrder) {
  constexpr std::array<std::pair<int, int>, 16> kCurve{{{0, 0},
                                                        {1, 0},
                                                        {1, 1},
                                                        {0, 1},
                                                        {0, 2},
                                                        {0, 3},
                                                        {1, 3},
                                                        {1, 2},
                                                        {2, 2},
                                                        {2, 3},
                                                        {3, 3},
                                                        {3, 2},
                                                        {3, 1},
                                                        {2, 1},
                                                        {2, 0},
                                                        {3, 0}}};
  for (std::size_t k = 0; k < kCurve.size(); ++k) {
    EXPECT_EQ(hilbert_key(static_cast<std::uint32_t>(kCurve[k].first),
                          static_cast<std::uint32_t>(kCurve[k].second)),
              k);
  }
}

TEST(Hilbert, TableAgreesWithTheDefinition) {
  Rng rng(2);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t x = rng.next_u32(), y = rng.next_u32();
    ASSERT_EQ(hilbert_key(x, y), plain_hilbert_key(x, y)) << x << ' ' << y;
  }
}

TEST(Hilbert, ConsecutiveKeysAreAdjacentCells) {
  constexpr std::uint32_t kSide = 128;
  std::vector<std::pair<int, int>> cell(std::size_t{kSide} * kSide, {-1, -1});
  for (std::uint32_t x = 0; x < kSide; ++x) {
    for (std::uint32_t y = 0; y < kSide; ++y) {
      const std::uint64_t key = hilbert_key(x, y);
      ASSERT_LT(key, cell.size()) << "a corner block of a power of two is a prefix of the curve";
      ASSERT_EQ(cell[key].first, -1) << "two cells share a key";
      cell[key] = {static_cast<int>(x), static_cast<int>(y)};
    }
  }
  for (std::size_t k = 1; k < cell.size(); ++k) {
    ASSERT_EQ(
        std::abs(cell[k].first - cell[k - 1].first) + std::abs(cell[k].second - cell[k - 1].second),
        1);
  }
}

}  // namespace
}  // namespace eco
