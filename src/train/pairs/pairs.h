#pragma once
// Preference pairs from a pool of sampled solutions: the shorter one wins. Pairs of equal cost say
// nothing and are dropped. The paper leaves the choice among K open ("the shorter" and "the
// longer"); best against worst is the reading that its margins support and the default.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/instance/instance.h"
#include "train/config/train_config.h"

namespace eco::train {

enum class PairSource : std::uint8_t { sampled, local_search };

// Solutions of one instance, sampled from one policy.
struct Pool {
  const Instance* instance = nullptr;
  std::vector<Solution> solutions;
  std::vector<double> costs;  // in the instance's metric
};

struct PreferencePair {
  const Instance* instance = nullptr;
  Solution winner, loser;
  double winner_cost = 0, loser_cost = 0;
  PairSource source = PairSource::sampled;

  // Of the loser's cost, in percent: the paper's margin.
  [[nodiscard]] double margin_percent() const { return -gap_percent(winner_cost, loser_cost); }
};

// best-worst      the best against the worst: one pair
// random          two of them, drawn: one pair
// best-random     the best against one of the others: one pair
// all-pairs       every two
// best-anchored   the best against every other
[[nodiscard]] std::vector<PreferencePair> sampled_pairs(const Pool& pool, PairRule rule, Rng& rng);

// A raw solution of the pool, chosen at random, against what the operators make of it (first
// improvement, the paper's cap on moves): the refined one wins. Nothing if nothing improved.
[[nodiscard]] std::vector<PreferencePair> local_search_pairs(
    const Pool& pool, const std::vector<std::string>& operators, Rng& rng);

// The same cyclic tour from the start of `like` and in the direction that shares more of its steps,
// so that the two differ only where they really do. Solutions that are no tours stay as they are.
[[nodiscard]] Solution aligned(Solution tour, const Solution& like, ProblemKind kind);

// A share alpha of the instances gives local-search pairs, the others sampled ones. Which ones is
// drawn; pools are worked on in parallel by the caller, so each pool has its own stream.
[[nodiscard]] std::vector<PreferencePair> pairs_of(const Pool& pool, const ImproveConfig& config,
                                                   Rng& rng);

// Distribution of the margins of a buffer, in percent of the loser's cost.
struct MarginSummary {
  std::size_t count = 0;
  double mean = 0, median = 0, p10 = 0, p90 = 0;
};
[[nodiscard]] MarginSummary summarise_margins(std::span<const PreferencePair> pairs,
                                              PairSource source);

}  // namespace eco::train
