#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/tsp_instances.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::random_matrix;
using testing::tsp_instance;

constexpr ConstructMethod kTspMethods[] = {ConstructMethod::nearest_neighbour,
                                           ConstructMethod::random_insertion,
                                           ConstructMethod::farthest_insertion};

TEST(Construct, TspToursAreFeasibleForEveryShapeAndSize) {
  for (const ConstructMethod method : kTspMethods) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const std::size_t nodes = 1 + seed / 3;
      for (const Instance& instance :
           {tsp_instance(nodes, seed % kShapes, seed), random_matrix(nodes, seed)}) {
        const Solution tour = construct(instance, method, seed);
        const CheckResult judged = check(instance, tour);
        ASSERT_TRUE(judged.feasible) << judged.reason;
        ASSERT_EQ(construct(instance, method, seed), tour);
      }
    }
  }
}

TEST(Construct, NearestNeighbourAlwaysGoesToTheNearest) {
  for (const Instance& instance : {tsp_instance(120, 0, 4), random_matrix(60, 4)}) {
    const Solution tour = construct(instance, ConstructMethod::nearest_neighbour, 9);
    for (std::size_t i = 1; i < tour.sequence.size(); ++i) {
      const double taken = instance.distance(tour.sequence[i - 1], tour.sequence[i]);
      for (std::size_t j = i; j < tour.sequence.size(); ++j) {
        ASSERT_LE(taken, instance.distance(tour.sequence[i - 1], tour.sequence[j]));
      }
    }
  }
}

// The definition, written again without any bookkeeping.
TEST(Construct, FarthestInsertionFollowsItsDefinition) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Instance instance = tsp_instance(40, seed % 2, seed);
    const Solution found = construct(instance, ConstructMethod::farthest_insertion, seed);
    std::vector<std::size_t> tour{Rng(seed).below(40)};
    const auto distance = [&](std::size_t a, std::size_t b) {
      return instance.distance(NodeId(a), NodeId(b));
    };
    while (tour.size() < 40) {
      std::size_t farthest = 0;
      double farthest_distance = -1;
      for (std::size_t node = 0; node < 40; ++node) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::size_t member : tour) nearest = std::min(nearest, distance(member, node));
        if (nearest > farthest_distance) {
          farthest_distance = nearest;
          farthest = node;
        }
      }
      std::size_t place = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < tour.size(); ++i) {
        const std::size_t a = tour[i], b = tour[(i + 1) % tour.size()];
        const double growth = distance(farthest, a) + distance(farthest, b) - distance(a, b);
        if (growth < least) {
          least = growth;
          place = i + 1;
        }
      }
      tour.insert(tour.begin() + static_cast<std::ptrdiff_t>(place), farthest);
    }
    Solution expected;
    for (const std::size_t node : tour) expected.sequence.emplace_back(node);
    EXPECT_NEAR(check(instance, found).cost, check(instance, expected).cost, 1e-9);
  }
}

TEST(Construct, RefusesTheMethodOfAnotherProblem) {
  EXPECT_THROW((void)construct(tsp_instance(5, 0, 1), ConstructMethod::savings, 1), Error);
}

}  // namespace
}  // namespace eco
