#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/search/local_search.h"
#include "core/search/tsp_instances.h"
#include "problems/tsp/search/three_opt.h"
#include "problems/tsp/search/tour_state.h"
#include "problems/tsp/search/two_opt.h"

namespace eco {
namespace {

using testing::kShapes;
using testing::random_matrix;
using testing::random_tour;
using testing::tsp_instance;

std::vector<std::vector<std::string>> tsp_operator_sets() {
  return {{"2opt"}, {"3opt"}, {}, {"3opt", "2opt"}};
}

LocalSearchOptions only(const std::string& name) {
  LocalSearchOptions options;
  options.operators = {name};
  return options;
}

void never_lengthens_tsp(const Instance& instance, std::uint64_t seed) {
  for (const SearchMode mode : {SearchMode::paper, SearchMode::full}) {
    for (const auto& names : tsp_operator_sets()) {
      Solution tour = random_tour(instance.size(), seed);
      const double before = check(instance, tour).cost;
      LocalSearchOptions options;
      options.mode = mode;
      options.operators = names;
      const LocalSearchResult result = local_search(instance, tour, options);
      const CheckResult judged = check(instance, tour);
      ASSERT_TRUE(judged.feasible) << judged.reason;
      ASSERT_LE(judged.cost, before * (1 + 1e-15)) << "seed " << seed;
      ASSERT_NEAR(result.before, before, 1e-9 * before + 1e-12);
      ASSERT_NEAR(result.after, judged.cost, 1e-9 * before + 1e-12);
      if (result.moves > 0) {
        ASSERT_LT(judged.cost, before);
      }
      if (mode == SearchMode::paper) {
        ASSERT_LE(result.moves, instance.size());
      } else {
        ASSERT_TRUE(result.local_optimum);
      }
    }
  }
}

TEST(TspLocalSearch, NeverLengthensATour) {
  for (std::uint64_t seed = 0; seed < 1600; ++seed) {
    Rng rng(seed, 5);
    const std::size_t nodes = seed % 2 == 0 ? 1 + rng.below(9) : 1 + rng.below(70);
    never_lengthens_tsp(tsp_instance(nodes, seed % kShapes, seed), seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    never_lengthens_tsp(random_matrix(3 + seed % 40, seed), seed);
}

// Every single move: the gain it reports is what the judge finds.
template <class Operator>
void tsp_gains_are_true() {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed, 6);
    const std::size_t nodes = 4 + rng.below(40);
    const Instance instance = tsp_instance(nodes, seed % kShapes, seed);
    const NeighbourLists neighbours(instance, 6);
    TourState tour(instance, neighbours, seed % 3 == 0);
    Solution current = random_tour(nodes, seed);
    double length = check(instance, current).cost;
    tour.assign(current, length);
    Operator move;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const double gain = move.improve_at(tour, node);
      const CheckResult judged = check(instance, tour.solution());
      ASSERT_TRUE(judged.feasible) << judged.reason;
      ASSERT_NEAR(length - judged.cost, gain, 1e-9 * std::max(1.0, length)) << "seed " << seed;
      if (gain == 0) {
        ASSERT_EQ(tour.solution(), current);
      }
      current = tour.solution();
      length = judged.cost;
    }
  }
}

TEST(TwoOpt, ReportsTheTrueGain) {
  tsp_gains_are_true<TwoOpt>();
}
TEST(ThreeOpt, ReportsTheTrueGain) {
  tsp_gains_are_true<ThreeOpt>();
}

Instance circle(std::size_t nodes) {
  Instance instance;
  for (std::size_t i = 0; i < nodes; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(nodes);
    instance.points.push_back({std::cos(angle), std::sin(angle)});
  }
  return instance;
}

Solution in_order(const std::vector<std::size_t>& nodes) {
  Solution tour;
  for (const std::size_t node : nodes) tour.sequence.emplace_back(node);
  return tour;
}

double polygon(std::size_t nodes) {
  return 2 * static_cast<double>(nodes) * std::sin(std::numbers::pi / static_cast<double>(nodes));
}

TEST(TwoOpt, UndoesAPlantedReversal) {
  const Instance instance = circle(12);
  for (std::size_t first = 0; first < 12; ++first) {
    for (std::size_t length = 2; length <= 10; ++length) {
      std::vector<std::size_t> nodes;
      for (std::size_t i = 0; i < 12; ++i) nodes.push_back((first + i) % 12);
      std::reverse(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(length));
      Solution tour = in_order(nodes);
      const auto result = local_search(instance, tour, only("2opt"));
      EXPECT_EQ(result.moves, 1U);
      EXPECT_NEAR(result.after, polygon(12), 1e-12);
    }
  }
}

TEST(ThreeOpt, BringsAPlantedSegmentHomeEitherWayRound) {
  const Instance instance = circle(16);
  for (std::size_t length = 1; length <= 3; ++length) {
    for (std::size_t target = 1; target + length < 16; ++target) {
      for (const bool reversed : {false, true}) {
        std::vector<std::size_t> segment, rest;
        for (std::size_t i = 0; i < 16; ++i) (i < length ? segment : rest).push_back(i);
        if (reversed) std::reverse(segment.begin(), segment.end());
        rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(target), segment.begin(),
                    segment.end());
        Solution tour = in_order(rest);
        const auto result = local_search(instance, tour, only("3opt"));
        EXPECT_NEAR(result.after, polygon(16), 1e-12) << length << ' ' << target << ' ' << reversed;
      }
    }
  }
}

// In paper mode a "local optimum" is one of the whole neighbourhood, not of the neighbour lists.
TEST(TspLocalSearch, PaperModeLeavesNoImproving2OptMove) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t nodes = 8 + seed;
    const Instance instance = tsp_instance(nodes, seed % 2, seed);
    Solution tour = random_tour(nodes, seed);
    LocalSearchOptions options;
    options.operators = {"2opt"};
    options.neighbours = 3;
    options.max_moves = 100 * nodes;
    ASSERT_TRUE(local_search(instance, tour, options).local_optimum);
    const double length = check(instance, tour).cost;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = i + 2; j <= nodes; ++j) {
        Solution other = tour;
        std::reverse(other.sequence.begin() + static_cast<std::ptrdiff_t>(i),
                     other.sequence.begin() + static_cast<std::ptrdiff_t>(j));
        ASSERT_GE(check(instance, other).cost, length * (1 - 1e-12));
      }
    }
  }
}

// All exchanges of three edges: the tour is cut into three segments, which are joined in either
// order, each in either direction.
TEST(ThreeOpt, PaperModeLeavesNoImprovingExchangeOfThreeEdges) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t nodes = 4 + seed % 20;
    const Instance instance = tsp_instance(nodes, seed % 2, seed);
    Solution tour = random_tour(nodes, seed);
    LocalSearchOptions options = only("3opt");
    options.neighbours = 3;
    options.max_moves = 100 * nodes;
    ASSERT_TRUE(local_search(instance, tour, options).local_optimum);
    const double length = check(instance, tour).cost;
    const auto& nodes_of = tour.sequence;
    const auto begin = nodes_of.begin();
    for (std::size_t i = 1; i < nodes; ++i) {
      for (std::size_t j = i + 1; j <= nodes; ++j) {
        for (unsigned way = 0; way < 8; ++way) {
          std::vector<NodeId> one(begin + static_cast<std::ptrdiff_t>(i),
                                  begin + static_cast<std::ptrdiff_t>(j));
          std::vector<NodeId> two(begin + static_cast<std::ptrdiff_t>(j), nodes_of.end());
          if ((way & 1U) != 0) std::reverse(one.begin(), one.end());
          if ((way & 2U) != 0) std::reverse(two.begin(), two.end());
          if ((way & 4U) != 0) std::swap(one, two);
          Solution other;
          other.sequence.assign(begin, begin + static_cast<std::ptrdiff_t>(i));
          other.sequence.insert(other.sequence.end(), one.begin(), one.end());
          other.sequence.insert(other.sequence.end(), two.begin(), two.end());
          ASSERT_GE(check(instance, other).cost, length * (1 - 1e-12)) << seed;
        }
      }
    }
  }
}

TEST(ThreeOpt, ShortensMostToursThat2OptCannot) {
  int shorter = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Instance instance = tsp_instance(40, seed % 2, seed);
    Solution tour = random_tour(40, seed);
    LocalSearchOptions options = only("2opt");
    options.max_moves = 4000;
    ASSERT_TRUE(local_search(instance, tour, options).local_optimum);
    const auto result = local_search(instance, tour, only("3opt"));
    shorter += result.after < result.before * (1 - 1e-9) ? 1 : 0;
  }
  EXPECT_GT(shorter, 30);
}

TEST(TspLocalSearch, KeepsToTheMoveCap) {
  const Instance instance = tsp_instance(60, 0, 1);
  for (const std::size_t cap : {0, 1, 5}) {
    Solution tour = random_tour(60, 2);
    LocalSearchOptions options;
    options.max_moves = cap;
    const auto result = local_search(instance, tour, options);
    EXPECT_EQ(result.moves, cap);
    EXPECT_FALSE(result.local_optimum);
  }
}

TEST(TspLocalSearch, NamesTheOperatorsThatExistWhenAskedForAnother) {
  const Instance instance = tsp_instance(10, 0, 1);
  try {
    (void)make_local_search(instance, only("swap"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("2opt, 3opt"), std::string::npos) << error.what();
  }
  EXPECT_EQ(search_operators(ProblemKind::tsp).size(), 2U);
}

TEST(TspLocalSearch, RefusesAMatrixThatIsNotSymmetric) {
  Instance instance = random_matrix(6, 1);
  instance.matrix[1] += 1;
  EXPECT_THROW((void)make_local_search(instance), Error);
}

TEST(TspLocalSearch, OneSearcherServesManyTours) {
  const Instance instance = tsp_instance(80, 0, 3);
  const auto searcher = make_local_search(instance);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Solution reused = random_tour(80, seed), alone = reused;
    searcher->improve(reused);
    local_search(instance, alone);
    EXPECT_EQ(reused, alone);
  }
}

}  // namespace
}  // namespace eco
