#include "problems/tsp/expert/or_opt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/instance/distance.h"
#include "core/problem/check.h"
#include "core/search/tsp_instances.h"
#include "problems/tsp/expert/greedy.h"
#include "problems/tsp/expert/reduced_instance.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::random_matrix;
using testing::random_tour;
using testing::tsp_instance;

Solution as_solution(std::span<const std::uint32_t> order) {
  Solution tour;
  for (const std::uint32_t node : order) tour.sequence.emplace_back(node);
  return tour;
}

std::vector<std::uint32_t> as_order(const Solution& tour) {
  std::vector<std::uint32_t> order;
  for (const NodeId node : tour.sequence) order.push_back(static_cast<std::uint32_t>(node.index()));
  return order;
}

// A tour may come back turned round or started elsewhere: compare who stands beside whom.
std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_of(const ArrayTour& tour) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const std::uint32_t node : tour.order()) edges.push_back(std::minmax(node, tour.next(node)));
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Counts what it is asked, and cancels in the middle.
struct CountingDistance {
  const Instance* instance;
  std::stop_source* stop;
  std::size_t* asked;
  double operator()(std::size_t a, std::size_t b) const {
    if (++*asked == 200'000) stop->request_stop();
    return instance->distance(NodeId(a), NodeId(b));
  }
};

TEST(OrOpt, StopsWithinAFewNodesOfTheDeadline) {
  const Instance instance = tsp_instance(5000, 0, 1);
  const NeighbourLists neighbours(instance, 8);
  std::stop_source stop;
  std::size_t asked = 0;
  OrOpt search(CountingDistance{&instance, &stop, &asked}, neighbours);
  search.tour().assign(as_order(random_tour(instance.size(), 1)));
  for (std::uint32_t node = 0; node < instance.size(); ++node) search.wake(node);
  search.settle(Deadline::when_cancelled(stop.get_token()));
  EXPECT_GE(asked, 200'000U) << "cancelled in the middle";
  // 16 nodes, each with a handful of moves of 8 x 5 looks.
  EXPECT_LT(asked, 200'000U + 50'000U);
  EXPECT_TRUE(check(instance, as_solution(search.tour().order())).feasible);
}

void settles_by_true_gains_and_can_be_taken_back(const Instance& instance, std::uint64_t seed) {
  const NeighbourLists neighbours(instance, 3 + seed % 6);
  const Solution start = random_tour(instance.size(), seed);
  const double before = check(instance, start).cost;
  with_distance(instance, [&](auto distance) {
    OrOpt search(distance, neighbours);
    search.set_tolerance(1e-13 * before);
    search.tour().assign(as_order(start));
    const auto edges_before = edges_of(search.tour());
    for (std::uint32_t node = 0; node < instance.size(); ++node) search.wake(node);
    const double gained = search.settle({});
    const CheckResult judged = check(instance, as_solution(search.tour().order()));
    ASSERT_TRUE(judged.feasible) << judged.reason;
    ASSERT_NEAR(before - judged.cost, gained, 1e-9 * std::max(1.0, before)) << "seed " << seed;
    ASSERT_GE(gained, 0);
    search.take_back_changes();
    ASSERT_EQ(edges_of(search.tour()), edges_before);
  });
}

TEST(OrOpt, SettlesByTrueGainsAndCanBeTakenBack) {
  for (std::uint64_t seed = 0; seed < 1600; ++seed) {
    const std::size_t nodes = 4 + (seed % 2 == 0 ? seed / 2 % 7 : seed % 80);
    settles_by_true_gains_and_can_be_taken_back(tsp_instance(nodes, seed % kShapes, seed), seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    settles_by_true_gains_and_can_be_taken_back(random_matrix(4 + seed % 40, seed), seed);
  }
}

TEST(OrOpt, FindsEveryPlanted3OptMove) {
  // 1 on the tour 0 1 .. 11, 2 elsewhere: the only tour of length 12 is that one.
  constexpr std::size_t kNodes = 12;
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix.assign(kNodes * kNodes, 2);
  for (std::size_t i = 0; i < kNodes; ++i) {
    const std::size_t j = (i + 1) % kNodes;
    instance.matrix[i * kNodes + i] = 0;
    instance.matrix[i * kNodes + j] = instance.matrix[j * kNodes + i] = 1;
  }
  const NeighbourLists neighbours(instance, 2);
  // Cut into 0..first-1, first..second-1, second..third-1, rest; the two in the middle change
  // places or direction in all the ways that need three new edges.
  for (std::size_t first = 1; first < 9; ++first) {
    for (std::size_t second = first + 2; second < 10; ++second) {
      for (std::size_t third = second + 2; third < kNodes; ++third) {
        for (const int way : {0, 1, 2, 3}) {
          std::vector<std::uint32_t> a, b, order;
          for (std::uint32_t i = 0; i < first; ++i) order.push_back(i);
          for (auto i = static_cast<std::uint32_t>(first); i < second; ++i) a.push_back(i);
          for (auto i = static_cast<std::uint32_t>(second); i < third; ++i) b.push_back(i);
          if (way == 1 || way == 3) std::reverse(a.begin(), a.end());
          if (way == 2 || way == 3) std::reverse(b.begin(), b.end());
          if (way != 3) std::swap(a, b);
          order.insert(order.end(), a.begin(), a.end());
          order.insert(order.end(), b.begin(), b.end());
          for (auto i = static_cast<std::uint32_t>(third); i < kNodes; ++i) order.push_back(i);
          with_distance(instance, [&](auto distance) {
            OrOpt search(distance, neighbours);
            search.set_tolerance(1e-9);
            search.tour().assign(order);
            for (std::uint32_t node = 0; node < kNodes; ++node) search.wake(node);
            search.settle({});
            EXPECT_EQ(check(instance, as_solution(search.tour().order())).cost, 12.0)
                << first << ' ' << second << ' ' << third << " way " << way;
          });
        }
      }
    }
  }
}

TEST(Greedy, JoinsAllNodesAndStartsWithTheShortestEdge) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t nodes = 2 + seed;
    for (const Instance& instance :
         {tsp_instance(nodes, seed % kShapes, seed), random_matrix(2 + seed % 30, seed)}) {
      const auto order = greedy_tour(instance, NeighbourLists(instance, 5));
      const Solution tour = as_solution(order);
      const CheckResult judged = check(instance, tour);
      ASSERT_TRUE(judged.feasible) << judged.reason;
      const auto distance = [&](std::size_t a, std::size_t b) {
        return instance.distance(NodeId(a), NodeId(b));
      };
      double shortest = distance(0, 1), shortest_used = distance(order.back(), order.front());
      for (std::size_t i = 0; i < instance.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) shortest = std::min(shortest, distance(i, j));
        if (i > 0) shortest_used = std::min(shortest_used, distance(order[i - 1], order[i]));
      }
      EXPECT_EQ(shortest_used, shortest);
    }
  }
}

TEST(ReducedInstance, MergesEqualPointsAndBringsThemAllBack) {
  for (std::uint64_t shape = 0; shape < kShapes; ++shape) {
    const Instance instance = tsp_instance(300, shape, shape);
    const ForcedPaths none(instance, {});
    const ReducedInstance reduced(instance, none);
    std::vector<std::uint32_t> order(reduced.instance().size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const Solution tour = reduced.expand(order);
    EXPECT_TRUE(check(instance, tour).feasible);
    std::vector<std::pair<double, double>> distinct;
    for (const Point& p : instance.points) distinct.emplace_back(p.x, p.y);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    EXPECT_EQ(order.size(), distinct.size());
  }
}

}  // namespace
}  // namespace eco
