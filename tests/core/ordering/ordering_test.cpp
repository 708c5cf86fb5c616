#include "core/ordering/ordering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/rng.h"
#include "core/instance/generate.h"

namespace eco {
namespace {

std::vector<Point> in_order(const std::vector<Point>& points, Ordering ordering) {
  std::vector<Point> sequence;
  for (const std::uint32_t i : order_points(points, ordering)) sequence.push_back(points[i]);
  return sequence;
}

void permutation_does_not_matter(std::vector<Point> points, const std::string& what) {
  Rng rng(99);
  for (const Ordering ordering : all_orderings()) {
    if (ordering == Ordering::raw) continue;
    const std::vector<Point> expected = in_order(points, ordering);
    ASSERT_TRUE(std::is_permutation(expected.begin(), expected.end(), points.begin(), points.end()))
        << what;
    for (int repeat = 0; repeat < 100; ++repeat) {
      rng.shuffle(std::span(points));
      ASSERT_EQ(in_order(points, ordering), expected) << what << ' ' << to_string(ordering);
    }
  }
}

std::vector<Point> uniform(std::size_t count, std::uint64_t seed) {
  GeneratorOptions options;
  options.nodes = count;
  options.seed = seed;
  return generate(options, 0).points;
}

TEST(Ordering, AnyPermutationOfTheInputGivesTheSameSequence) {
  permutation_does_not_matter(uniform(200, 1), "uniform");
  permutation_does_not_matter(uniform(2500, 2), "uniform, large enough for the radix sort");

  GeneratorOptions options;
  options.nodes = 300;
  options.distribution = Distribution::clustered;
  permutation_does_not_matter(generate(options, 0).points, "clustered");
  options.distribution = Distribution::x;
  permutation_does_not_matter(generate(options, 0).points, "grid");
}

TEST(Ordering, TiesDoNotDependOnTheInputEither) {
  Rng rng(3);
  std::vector<Point> coarse;  // many duplicates, many equal x
  for (int i = 0; i < 400; ++i) {
    coarse.push_back({static_cast<double>(rng.below(6)), static_cast<double>(rng.below(6))});
  }
  permutation_does_not_matter(coarse, "duplicates");

  std::vector<Point> vertical, horizontal, diagonal;
  for (int i = 0; i < 150; ++i) {
    const double t = rng.uniform();
    vertical.push_back({0.25, t});
    horizontal.push_back({t, -7});
    diagonal.push_back({t, t});
  }
  permutation_does_not_matter(vertical, "vertical line");
  permutation_does_not_matter(horizontal, "horizontal line");
  permutation_does_not_matter(diagonal, "diagonal line");
  permutation_does_not_matter(std::vector<Point>(50, Point{3, 4}), "all at one point");

  std::vector<Point> crowd = uniform(200, 5);  // 200 points in one cell of the grid, two far away
  for (Point& p : crowd) p = {p.x * 1e-12, p.y * 1e-12};
  crowd.push_back({1, 0});
  crowd.push_back({0, 1});
  permutation_does_not_matter(crowd, "points finer than the grid");
}

TEST(Ordering, SurvivesTheWholeRangeOfDoubles) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  permutation_does_not_matter({{-kHuge, -kHuge}, {kHuge, kHuge}, {0, 0}, {kHuge, -kHuge}}, "huge");
  permutation_does_not_matter({{0, 0}, {kTiny, 0}, {0, 4 * kTiny}, {-kTiny, kTiny}}, "tiny");
}

TEST(Ordering, XSortsByXThenY) {
  const std::vector<Point> points{{2, 1}, {-1, 5}, {2, 0}, {-3, 9}, {0, 0}, {-0.0, -1}};
  EXPECT_EQ(order_points(points, Ordering::x), (std::vector<std::uint32_t>{3, 1, 5, 4, 2, 0}));
}

TEST(Ordering, MortonAndHilbertVisitTheQuadrantsAsTheirCurvesDo) {
  const std::vector<Point> corners{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(order_points(corners, Ordering::morton), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(order_points(corners, Ordering::hilbert), (std::vector<std::uint32_t>{0, 2, 3, 1}));
}

TEST(Ordering, QuantisesWithTheAspectKept) {
  // In a box of 4 by 1 all points lie in the lower quarter of the curve's square: the order is the
  // one that a fourth, far point at (0, 4) would not change.
  const std::vector<Point> flat{{0, 0}, {4, 0}, {1, 1}, {3, 1}, {2, 0.5}};
  std::vector<Point> square = flat;
  square.push_back({0, 4});
  for (const Ordering ordering : {Ordering::morton, Ordering::hilbert}) {
    auto with_corner = order_points(square, ordering);
    std::erase(with_corner, 5U);
    EXPECT_EQ(order_points(flat, ordering), with_corner);
  }
}

TEST(Ordering, SortsLargeSetsAsAComparisonSortWould) {
  const std::vector<Point> points = uniform(5000, 8);
  std::vector<std::uint32_t> expected(points.size());
  std::iota(expected.begin(), expected.end(), 0U);
  std::sort(expected.begin(), expected.end(),
            [&](std::uint32_t a, std::uint32_t b) { return points[a].x < points[b].x; });
  EXPECT_EQ(order_points(points, Ordering::x), expected);
}

TEST(Ordering, HilbertKeepsNeighboursCloserThanMorton) {
  const std::vector<Point> points = uniform(4000, 9);
  const auto length = [&](Ordering ordering) {
    const std::vector<Point> sequence = in_order(points, ordering);
    double sum = 0;
    for (std::size_t i = 1; i < sequence.size(); ++i)
      sum += euclidean(sequence[i - 1], sequence[i]);
    return sum;
  };
  EXPECT_LT(length(Ordering::hilbert), length(Ordering::morton));
  EXPECT_LT(length(Ordering::morton), length(Ordering::x));
}

TEST(Ordering, ReusedBuffersGiveTheSameAndDoNotGrowAgain) {
  const std::vector<Point> points = uniform(3000, 10);
  OrderBuffers buffers;
  std::vector<std::uint32_t> order(points.size());
  order_points(points, Ordering::hilbert, buffers, order);
  EXPECT_EQ(order, order_points(points, Ordering::hilbert));
  const std::size_t capacity = buffers.entries.capacity() + buffers.other.capacity();
  for (std::size_t size = points.size(); size > 0; size = size * 9 / 10) {
    const auto part = std::span(points).first(size);
    order.resize(size);
    order_points(part, Ordering::hilbert, buffers, order);
    ASSERT_EQ(order, order_points(part, Ordering::hilbert));
    ASSERT_EQ(buffers.entries.capacity() + buffers.other.capacity(), capacity);
  }
}

TEST(CanonicalOrder, KeepsTheDepotFirst) {
  GeneratorOptions options;
  options.kind = ProblemKind::cvrp;
  options.nodes = 40;
  const Instance instance = generate(options, 3);
  for (const Ordering ordering : {Ordering::raw, Ordering::x, Ordering::morton}) {
    const std::vector<NodeId> order = canonical_order(instance, ordering);
    ASSERT_EQ(order.size(), 41U);
    EXPECT_EQ(order.front(), kDepot);
    std::vector<bool> seen(41, false);
    for (const NodeId node : order) seen[node.index()] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 41);
  }
  const auto by_x = canonical_order(instance, Ordering::x);
  for (std::size_t p = 2; p < by_x.size(); ++p) {
    EXPECT_LE(instance.points[by_x[p - 1].index()].x, instance.points[by_x[p].index()].x);
  }
}

TEST(CanonicalOrder, LeavesABareMatrixAsItIs) {
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix = {0, 1, 2, 1, 0, 3, 2, 3, 0};
  EXPECT_EQ(canonical_order(instance, Ordering::hilbert),
            (std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(2)}));
}

TEST(Ordering, NamesRoundTrip) {
  for (const Ordering ordering : all_orderings()) {
    EXPECT_EQ(ordering_from(to_string(ordering)), ordering);
  }
  EXPECT_FALSE(ordering_from("peano").has_value());
}

}  // namespace
}  // namespace eco
