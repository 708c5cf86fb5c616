#include "train/pairs/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "train/data/random_instance.h"
#include "train/pairs/advantage.h"

namespace eco::train {
namespace {

// Random tours of one random instance.
struct RandomPool {
  Instance instance;
  Pool pool;

  RandomPool(std::size_t nodes, std::size_t count, std::uint64_t index)
      : instance(random_instance(ProblemKind::tsp, nodes, index)) {
    pool.instance = &instance;
    Rng rng(5, index);
    for (std::size_t k = 0; k < count; ++k) {
      Solution tour;
      for (std::size_t i = 0; i < nodes; ++i) tour.sequence.emplace_back(i);
      rng.shuffle(std::span<NodeId>(tour.sequence));
      pool.costs.push_back(cost(instance, tour));
      pool.solutions.push_back(std::move(tour));
    }
  }
};

TEST(Pairs, BestWorstIsTheWidestPair) {
  const RandomPool random(15, 8, 0);
  Rng rng(1);
  const auto pairs = sampled_pairs(random.pool, PairRule::best_worst, rng);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].winner_cost,
            *std::min_element(random.pool.costs.begin(), random.pool.costs.end()));
  EXPECT_EQ(pairs[0].loser_cost,
            *std::max_element(random.pool.costs.begin(), random.pool.costs.end()));
  EXPECT_EQ(cost(random.instance, pairs[0].winner), pairs[0].winner_cost);
  EXPECT_EQ(cost(random.instance, pairs[0].loser), pairs[0].loser_cost);
}

TEST(Pairs, TheRulesDifferInHowManyAndWhich) {
  const RandomPool random(15, 6, 1);
  Rng rng(1);
  EXPECT_EQ(sampled_pairs(random.pool, PairRule::all_pairs, rng).size(), 15U);
  const auto anchored = sampled_pairs(random.pool, PairRule::best_anchored, rng);
  EXPECT_EQ(anchored.size(), 5U);
  for (const auto& pair : anchored) EXPECT_EQ(pair.winner, anchored[0].winner);
  std::map<double, int> losers;
  for (int i = 0; i < 500; ++i) {
    const auto pairs = sampled_pairs(random.pool, PairRule::best_random, rng);
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0].winner, anchored[0].winner);
    ++losers[pairs[0].loser_cost];
  }
  EXPECT_EQ(losers.size(), 5U);
  for (const auto& [loser, count] : losers) EXPECT_GT(count, 50);
}

TEST(Pairs, TwoAtRandomAreEveryPairEquallyOftenAndHaveASmallerMargin) {
  const RandomPool random(15, 6, 1);
  Rng rng(1);
  std::map<std::pair<double, double>, int> seen;
  double margin = 0;
  constexpr int kDraws = 3000;
  for (int i = 0; i < kDraws; ++i) {
    const auto pairs = sampled_pairs(random.pool, PairRule::random, rng);
    ASSERT_EQ(pairs.size(), 1U);
    ++seen[{pairs[0].winner_cost, pairs[0].loser_cost}];
    margin += pairs[0].margin_percent() / kDraws;
  }
  EXPECT_EQ(seen.size(), 15U);
  for (const auto& [pair, count] : seen) EXPECT_NEAR(count, kDraws / 15, 80);
  EXPECT_LT(margin,
            sampled_pairs(random.pool, PairRule::best_worst, rng)[0].margin_percent() / 1.5);
}

TEST(Pairs, TheWinnerIsShorterAndTiesAreDropped) {
  RandomPool random(15, 5, 2);
  random.pool.solutions.push_back(random.pool.solutions[0]);
  random.pool.costs.push_back(random.pool.costs[0]);
  Rng rng(1);
  const auto pairs = sampled_pairs(random.pool, PairRule::all_pairs, rng);
  EXPECT_EQ(pairs.size(), 14U);  // 15 of 6, one of them a tie
  for (const auto& pair : pairs) EXPECT_LT(pair.winner_cost, pair.loser_cost);

  Pool same = random.pool;
  same.solutions.assign(4, random.pool.solutions[0]);
  same.costs.assign(4, random.pool.costs[0]);
  for (const PairRule rule : {PairRule::best_worst, PairRule::random, PairRule::best_random,
                              PairRule::all_pairs, PairRule::best_anchored}) {
    EXPECT_TRUE(sampled_pairs(same, rule, rng).empty());
  }
}

TEST(Pairs, LocalSearchMarginsAreNeverNegative) {
  for (std::uint64_t index = 0; index < 20; ++index) {
    const RandomPool random(25, 4, index);
    Rng rng(3, index);
    for (const auto& operators : {std::vector<std::string>{}, {"2opt"}, {"3opt"}}) {
      for (const auto& pair : local_search_pairs(random.pool, operators, rng)) {
        EXPECT_EQ(pair.source, PairSource::local_search);
        EXPECT_GT(pair.margin_percent(), 0);
        EXPECT_NEAR(require_feasible(random.instance, pair.winner), pair.winner_cost, 1e-9);
        EXPECT_NEAR(require_feasible(random.instance, pair.loser), pair.loser_cost, 1e-9);
        EXPECT_EQ(pair.winner.sequence.front(), pair.loser.sequence.front());
      }
    }
  }
}

TEST(Pairs, AlphaIsTheShareOfLocalSearchPairs) {
  const RandomPool random(20, 4, 0);
  ImproveConfig config;
  for (const double alpha : {0.0, 0.3, 1.0}) {
    config.alpha = alpha;
    std::size_t refined = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      Rng rng(9, i);
      const auto pairs = pairs_of(random.pool, config, rng);
      ASSERT_EQ(pairs.size(), 1U);
      refined += pairs[0].source == PairSource::local_search ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(refined) / 400, alpha, 0.08);
  }
}

TEST(Aligned, TurnsATourToTheStartAndDirectionOfAnother) {
  Solution like;
  for (std::size_t i = 0; i < 8; ++i) like.sequence.emplace_back(i);
  Solution tour = like;
  std::swap(tour.sequence[3], tour.sequence[4]);
  const Solution expected = tour;
  std::rotate(tour.sequence.begin(), tour.sequence.begin() + 5, tour.sequence.end());
  std::reverse(tour.sequence.begin(), tour.sequence.end());
  EXPECT_EQ(aligned(tour, like, ProblemKind::tsp), expected);
}

TEST(Margins, AreSummarisedByTheirQuantiles) {
  std::vector<PreferencePair> pairs(11);
  for (std::size_t i = 0; i < 11; ++i) {
    pairs[i].loser_cost = 100;
    pairs[i].winner_cost = 100 - static_cast<double>(i);
  }
  const MarginSummary summary = summarise_margins(pairs, PairSource::sampled);
  EXPECT_EQ(summary.count, 11U);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.median, 5);
  EXPECT_DOUBLE_EQ(summary.p10, 1);
  EXPECT_DOUBLE_EQ(summary.p90, 9);
  EXPECT_EQ(summarise_margins(pairs, PairSource::local_search).count, 0U);
}

TEST(Advantage, IsPositiveForWhatIsShorter) {
  const RandomPool random(15, 8, 3);
  const auto standard = standardised_advantage(random.pool);
  const double mean = mean_cost(random.pool);
  const auto relative = relative_advantage(random.pool, mean);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(standard[i] > 0, random.pool.costs[i] < mean);
    EXPECT_NEAR(relative[i], 1 - random.pool.costs[i] / mean, 1e-12);
    sum += standard[i];
    squares += standard[i] * standard[i];
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  EXPECT_NEAR(squares, 8, 1e-9);
}

}  // namespace
}  // namespace eco::train
