#include "core/geometry/symmetry.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/distance.h"

namespace eco {
namespace {

TEST(Symmetry, KeepsEveryDistanceAndAllEightDiffer) {
  Rng rng(3);
  std::vector<Point> base(12);
  for (Point& p : base) p = {rng.uniform(), rng.uniform()};
  std::set<std::pair<double, double>> images;
  for (unsigned symmetry = 0; symmetry < kSymmetries; ++symmetry) {
    std::vector<Point> turned = base;
    apply_symmetry(turned, symmetry);
    for (std::size_t i = 0; i < base.size(); ++i) {
      EXPECT_EQ(euclidean(turned[0], turned[i]), euclidean(base[0], base[i]));
    }
    images.insert({turned[1].x, turned[1].y});
  }
  EXPECT_EQ(images.size(), kSymmetries);
}

}  // namespace
}  // namespace eco
