#include "core/instance/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/instance/demands.h"

namespace eco {
namespace {

bool same(const Instance& a, const Instance& b) {
  return a.name == b.name && a.comment == b.comment && a.points == b.points &&
         a.demands == b.demands && a.capacity == b.capacity;
}

GeneratorOptions options_of(ProblemKind kind, Distribution distribution, std::size_t nodes) {
  GeneratorOptions options;
  options.kind = kind;
  options.distribution = distribution;
  options.nodes = nodes;
  return options;
}

constexpr std::array kDistributions{Distribution::uniform, Distribution::clustered,
                                    Distribution::mixture, Distribution::x,
                                    Distribution::board,   Distribution::panel};

TEST(Generate, AnInstanceDoesNotDependOnCountThreadsOrOrder) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const Distribution distribution : kDistributions) {
      const GeneratorOptions options = options_of(kind, distribution, 30);
      constexpr std::size_t kCount = 40;
      std::vector<Instance> forwards(kCount), threaded(kCount);
      for (std::size_t i = 0; i < kCount; ++i) forwards[i] = generate(options, i);
      ThreadPool pool(4);
      pool.parallel_for(kCount, [&](std::size_t i, std::size_t) {
        threaded[kCount - 1 - i] = generate(options, kCount - 1 - i);
      });
      for (std::size_t i = 0; i < kCount; ++i) ASSERT_TRUE(same(forwards[i], threaded[i]));
      ASSERT_FALSE(forwards[0].points == forwards[1].points);
    }
  }
}

TEST(Generate, SeedsGiveDifferentInstances) {
  GeneratorOptions options;
  const Instance first = generate(options, 0);
  options.seed += 1;
  EXPECT_FALSE(first.points == generate(options, 0).points);
}

TEST(Generate, StaysTheSameOverVersions) {
  // Data sets are named by their seed: if these values move, every published one is lost.
  const Instance tsp = generate(options_of(ProblemKind::tsp, Distribution::uniform, 5), 7);
  EXPECT_EQ(tsp.name, "tsp5-uniform-s1234-7");
  EXPECT_DOUBLE_EQ(tsp.points[0].x, 0.91278319506184735);
  EXPECT_DOUBLE_EQ(tsp.points[4].y, 0.067313026907221407);
  GeneratorOptions options = options_of(ProblemKind::cvrp, Distribution::x, 6);
  options.demands = DemandClass::large_wide;
  const Instance cvrp = generate(options, 7);
  EXPECT_EQ(cvrp.points[3], (Point{839, 360}));
  EXPECT_EQ(cvrp.demands, (std::vector<std::int64_t>{0, 56, 17, 7, 52, 27, 13}));
  EXPECT_EQ(cvrp.capacity, 411);
}

TEST(Generate, UniformPointsFillTheUnitSquareEvenly) {
  const auto points =
      generate(options_of(ProblemKind::tsp, Distribution::uniform, 100'000), 0).points;
  std::array<int, 16> cells{};
  for (const Point& p : points) {
    ASSERT_TRUE(p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1);
    ++cells.at(static_cast<std::size_t>(p.x * 4) * 4 + static_cast<std::size_t>(p.y * 4));
  }
  for (const int count : cells) EXPECT_NEAR(count, 6250, 400);  // five deviations
}

TEST(Generate, ThePapersCvrpHasDemandsOneToNineAndItsCapacities) {
  const Instance instance =
      generate(options_of(ProblemKind::cvrp, Distribution::uniform, 20'000), 0);
  EXPECT_EQ(instance.size(), 20'001U) << "the depot comes on top of the customers";
  std::map<std::int64_t, int> histogram;
  for (std::size_t i = 1; i < instance.size(); ++i) ++histogram[instance.demands[i]];
  ASSERT_EQ(histogram.size(), 9U);
  for (const auto& [demand, count] : histogram) {
    EXPECT_TRUE(demand >= 1 && demand <= 9);
    EXPECT_NEAR(count, 20'000 / 9.0, 240);
  }
  const std::map<std::size_t, std::int64_t> paper{{20, 30},  {50, 40},   {100, 50},
                                                  {200, 80}, {500, 150}, {1000, 250}};
  for (const auto& [nodes, capacity] : paper) {
    EXPECT_EQ(default_capacity(nodes), capacity);
    EXPECT_EQ(generate(options_of(ProblemKind::cvrp, Distribution::uniform, nodes), 0).capacity,
              capacity);
  }
}

TEST(Generate, DefaultCapacityNeverFallsWithSize) {
  EXPECT_EQ(default_capacity(1), 30);
  EXPECT_EQ(default_capacity(75), 45);
  EXPECT_EQ(default_capacity(350), 115);
  EXPECT_EQ(default_capacity(4000), 500);
  EXPECT_EQ(default_capacity(100'000), 2500);
  for (std::size_t n = 2; n < 20'000; ++n) {
    ASSERT_LE(default_capacity(n - 1), default_capacity(n)) << n;
  }
}

// Mean distance to the nearest other point; 0.5 / sqrt(n) for uniform points.
double mean_nearest(const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& p : points) {
    double nearest = 1e9;
    for (const Point& q : points) {
      if (&p != &q) nearest = std::min(nearest, euclidean(p, q));
    }
    sum += nearest;
  }
  return sum / static_cast<double>(points.size());
}

TEST(Generate, ClustersAreDenserThanUniform) {
  const double uniform =
      mean_nearest(generate(options_of(ProblemKind::tsp, Distribution::uniform, 1000), 0).points);
  EXPECT_NEAR(uniform, 0.5 / std::sqrt(1000.0), 0.002);
  for (const Distribution distribution :
       {Distribution::clustered, Distribution::mixture, Distribution::board}) {
    const auto points = generate(options_of(ProblemKind::tsp, distribution, 1000), 0).points;
    for (const Point& p : points) {
      ASSERT_TRUE(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1);
    }
    EXPECT_LT(mean_nearest(points), 0.8 * uniform) << to_string(distribution);
  }
}

// Holes are distinct, and most share their row and their column with another one near by.
TEST(Generate, BoardsAreLattices) {
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto points =
        generate(options_of(ProblemKind::tsp, Distribution::board, 400), index).points;
    ASSERT_EQ(points.size(), 400U);
    std::set<std::pair<double, double>> distinct;
    std::map<double, std::size_t> rows;
    for (const Point& p : points) {
      distinct.emplace(p.x, p.y);
      ++rows[p.y];
    }
    EXPECT_EQ(distinct.size(), points.size());
    EXPECT_LT(rows.size(), points.size() / 2);
  }
}

// Most holes have a twin one step to the right or above, with the same neighbours around it.
TEST(Generate, PanelsRepeatABoard) {
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto points =
        generate(options_of(ProblemKind::tsp, Distribution::panel, 300), index).points;
    ASSERT_EQ(points.size(), 300U);
    // The step is one of the offsets from the first hole, which belongs to the first copy.
    const auto twins = [&](Point step) {
      std::size_t count = 0;
      for (const Point& p : points) {
        count += std::any_of(points.begin(), points.end(), [&](const Point& q) {
          return std::abs(q.x - p.x - step.x) + std::abs(q.y - p.y - step.y) < 1e-9;
        });
      }
      return count;
    };
    std::size_t most = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      most = std::max(most, twins({points[i].x - points[0].x, points[i].y - points[0].y}));
    }
    EXPECT_GT(most, points.size() * 2 / 5) << index;
    for (const Point& p : points) ASSERT_TRUE(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1);
  }
}

TEST(Generate, ClusterDensityDecaysAsDocumented) {
  GeneratorOptions options = options_of(ProblemKind::tsp, Distribution::clustered, 20'000);
  options.clusters = 1;
  // One seed: the mean distance to it under density exp(-r / 0.04) in the plane is 2 * 0.04. An
  // instance whose seed lies well inside is not cut by the border.
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto points = generate(options, index).points;
    Point centre{0, 0};
    for (const Point& p : points) centre = {centre.x + p.x / 20'000, centre.y + p.y / 20'000};
    if (std::min({centre.x, centre.y, 1 - centre.x, 1 - centre.y}) < 0.35) continue;
    double mean = 0;
    for (const Point& p : points) mean += euclidean(p, centre) / 20'000;
    EXPECT_NEAR(mean, 0.08, 0.002);
  }
}

TEST(GenerateX, UsesDistinctCellsOfTheGridAndRoundedDistances) {
  for (std::uint64_t index = 0; index < 20; ++index) {
    const Instance instance = generate(options_of(ProblemKind::cvrp, Distribution::x, 400), index);
    EXPECT_EQ(instance.rounding, Rounding::nint);
    std::set<std::pair<double, double>> cells;
    for (const Point& p : instance.points) {
      EXPECT_TRUE(p.x >= 0 && p.x <= 1000 && p.x == std::floor(p.x));
      EXPECT_TRUE(p.y >= 0 && p.y <= 1000 && p.y == std::floor(p.y));
      cells.emplace(p.x, p.y);
    }
    EXPECT_EQ(cells.size(), instance.size());
  }
}

TEST(GenerateX, PutsTheDepotWhereAsked) {
  GeneratorOptions options = options_of(ProblemKind::cvrp, Distribution::x, 10);
  options.depot = DepotPlacement::centre;
  EXPECT_EQ(generate(options, 0).points[0], (Point{500, 500}));
  options.depot = DepotPlacement::corner;
  EXPECT_EQ(generate(options, 0).points[0], (Point{0, 0}));
  options.depot = DepotPlacement::random;
  EXPECT_FALSE(generate(options, 0).points[0] == generate(options, 1).points[0]);
  options.distribution = Distribution::uniform;
  options.depot = DepotPlacement::centre;
  EXPECT_EQ(generate(options, 0).points[0], (Point{0.5, 0.5}));
}

TEST(GenerateX, DrawsEveryAttributeWhereNothingIsFixed) {
  std::set<std::string> seen;
  for (std::uint64_t index = 0; index < 300; ++index) {
    seen.insert(generate(options_of(ProblemKind::cvrp, Distribution::x, 5), index).comment);
  }
  EXPECT_EQ(seen.size(), 3U * 3U * 7U) << "depot, customers, demand class";
}

TEST(GenerateX, DemandsFollowTheirClass) {
  const std::map<DemandClass, std::pair<int, int>> ranges{
      {DemandClass::paper, {1, 9}},        {DemandClass::unit, {1, 1}},
      {DemandClass::small_wide, {1, 10}},  {DemandClass::small_tight, {5, 10}},
      {DemandClass::large_wide, {1, 100}}, {DemandClass::large_tight, {50, 100}},
      {DemandClass::quadrant, {1, 100}},   {DemandClass::few_large, {1, 100}}};
  for (const auto& [demands, range] : ranges) {
    GeneratorOptions options = options_of(ProblemKind::cvrp, Distribution::x, 3000);
    options.demands = demands;
    options.customers = CustomerPlacement::random;
    const Instance instance = generate(options, 4);
    const auto [low, high] =
        std::minmax_element(instance.demands.begin() + 1, instance.demands.end());
    EXPECT_EQ(*low, range.first) << to_string(demands);
    EXPECT_EQ(*high, range.second) << to_string(demands);
    EXPECT_EQ(largest_demand(demands), range.second);
    std::size_t small = 0;
    for (std::size_t i = 1; i < instance.size(); ++i) {
      const Point& p = instance.points[i];
      const std::int64_t demand = instance.demands[i];
      if (demands == DemandClass::quadrant) {
        const bool odd_quadrant = (p.x >= 500) == (p.y >= 500);
        ASSERT_EQ(demand > 50, odd_quadrant);
      }
      if (demands == DemandClass::few_large) {
        ASSERT_TRUE(demand <= 10 || demand >= 50);
        small += demand <= 10 ? 1 : 0;
      }
    }
    if (demands == DemandClass::few_large) {
      EXPECT_GT(small, 3000 * 0.67);
      EXPECT_LT(small, 3000 * 0.97);
    }
  }
}

TEST(GenerateX, RouteSizeDecidesTheCapacity) {
  GeneratorOptions options = options_of(ProblemKind::cvrp, Distribution::x, 500);
  options.route_size = 12.5;
  for (std::uint64_t index = 0; index < 10; ++index) {
    const Instance instance = generate(options, index);
    const double total = static_cast<double>(
        std::accumulate(instance.demands.begin(), instance.demands.end(), std::int64_t{0}));
    EXPECT_NEAR(static_cast<double>(instance.capacity), 12.5 * total / 500, 1.0);
  }
}

TEST(GenerateX, DrawnRouteSizesAreTriangular) {
  Rng rng(6);
  double sum = 0;
  int below_mode = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double size = draw_route_size(rng);
    ASSERT_TRUE(size >= 3 && size <= 25);
    sum += size;
    below_mode += size < 6 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, (3 + 6 + 25) / 3.0, 0.08);
  EXPECT_NEAR(static_cast<double>(below_mode) / kDraws, 3.0 / 22.0, 0.006);
}

TEST(Generate, RefusesOptionsThatContradictEachOther) {
  const auto refused = [](auto change) {
    GeneratorOptions options = options_of(ProblemKind::cvrp, Distribution::uniform, 20);
    change(options);
    try {
      (void)generate(options, 0);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage;
    }
    return false;
  };
  EXPECT_TRUE(refused([](auto& o) { o.nodes = 0; }));
  EXPECT_TRUE(refused([](auto& o) { o.nodes = kMaxNodes; }));
  EXPECT_TRUE(refused([](auto& o) { o.capacity = 8; }));
  EXPECT_TRUE(refused([](auto& o) { o.clusters = 3; }));
  EXPECT_TRUE(refused([](auto& o) { o.customers = CustomerPlacement::mixed; }));
  EXPECT_TRUE(refused([](auto& o) { o.capacity = 50, o.route_size = 5; }));
  EXPECT_TRUE(refused([](auto& o) { o.kind = ProblemKind::tsp, o.capacity = 50; }));
  EXPECT_FALSE(refused([](auto& o) { o.capacity = 9; }));
}

TEST(Generate, NamesOfAttributesRoundTrip) {
  for (const Distribution d : kDistributions) EXPECT_EQ(distribution_from(to_string(d)), d);
  for (const auto d : {DepotPlacement::random, DepotPlacement::centre, DepotPlacement::corner}) {
    EXPECT_EQ(depot_placement_from(to_string(d)), d);
  }
  for (const auto c : {CustomerPlacement::random, CustomerPlacement::mixed}) {
    EXPECT_EQ(customer_placement_from(to_string(c)), c);
  }
  for (const auto d : {DemandClass::paper, DemandClass::few_large, DemandClass::quadrant}) {
    EXPECT_EQ(demand_class_from(to_string(d)), d);
  }
}

}  // namespace
}  // namespace eco
