#include "train/pairs/pairs.h"

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/search/local_search.h"

namespace eco::train {

namespace {

void add(const Pool& pool, std::size_t a, std::size_t b, std::vector<PreferencePair>& pairs) {
  if (pool.costs[a] == pool.costs[b]) return;
  if (pool.costs[a] > pool.costs[b]) std::swap(a, b);
  pairs.push_back({pool.instance, pool.solutions[a], pool.solutions[b], pool.costs[a],
                   pool.costs[b], PairSource::sampled});
}

std::size_t random_other(std::size_t count, std::size_t than, Rng& rng) {
  const std::size_t other = rng.below(static_cast<std::uint32_t>(count - 1));
  return other < than ? other : other + 1;
}

}  // namespace

std::vector<PreferencePair> sampled_pairs(const Pool& pool, PairRule rule, Rng& rng) {
  std::vector<PreferencePair> pairs;
  const std::size_t count = pool.costs.size();
  if (count < 2) return pairs;
  const auto [low, high] = std::minmax_element(pool.costs.begin(), pool.costs.end());
  const auto best = static_cast<std::size_t>(low - pool.costs.begin());
  const auto worst = static_cast<std::size_t>(high - pool.costs.begin());
  switch (rule) {
    case PairRule::best_worst:
      add(pool, best, worst, pairs);
      break;
    case PairRule::random: {
      const std::size_t one = rng.below(static_cast<std::uint32_t>(count));
      add(pool, one, random_other(count, one, rng), pairs);
      break;
    }
    case PairRule::best_random:
      add(pool, best, random_other(count, best, rng), pairs);
      break;
    case PairRule::all_pairs:
      for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) add(pool, a, b, pairs);
      }
      break;
    case PairRule::best_anchored:
      for (std::size_t other = 0; other < count; ++other) add(pool, best, other, pairs);
      break;
  }
  return pairs;
}

std::vector<PreferencePair> local_search_pairs(const Pool& pool,
                                               const std::vector<std::string>& operators,
                                               Rng& rng) {
  std::vector<PreferencePair> pairs;
  if (pool.costs.empty()) return pairs;
  const std::size_t raw = rng.below(static_cast<std::uint32_t>(pool.costs.size()));
  LocalSearchOptions options;
  options.operators = operators;
  Solution refined = pool.solutions[raw];
  const LocalSearchResult result = local_search(*pool.instance, refined, options);
  if (result.after < pool.costs[raw]) {
    refined = aligned(std::move(refined), pool.solutions[raw], pool.instance->kind);
    pairs.push_back({pool.instance, std::move(refined), pool.solutions[raw], result.after,
                     pool.costs[raw], PairSource::local_search});
  }
  return pairs;
}

Solution aligned(Solution tour, const Solution& like, ProblemKind kind) {
  if (facts_of(kind).depot || !facts_of(kind).closed) return tour;
  auto& nodes = tour.sequence;
  const std::size_t count = nodes.size();
  std::vector<std::size_t> next(count);  // in `like`
  for (std::size_t i = 0; i < count; ++i) {
    next[like.sequence[i].index()] = like.sequence[(i + 1) % count].index();
  }
  std::size_t along = 0, against = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = nodes[i].index(), to = nodes[(i + 1) % count].index();
    along += next[from] == to ? 1 : 0;
    against += next[to] == from ? 1 : 0;
  }
  if (against > along) std::reverse(nodes.begin(), nodes.end());
  std::rotate(nodes.begin(), std::find(nodes.begin(), nodes.end(), like.sequence.front()),
              nodes.end());
  return tour;
}

std::vector<PreferencePair> pairs_of(const Pool& pool, const ImproveConfig& config, Rng& rng) {
  if (rng.uniform() < config.alpha) return local_search_pairs(pool, config.operators, rng);
  return sampled_pairs(pool, config.rule, rng);
}

MarginSummary summarise_margins(std::span<const PreferencePair> pairs, PairSource source) {
  std::vector<double> margins;
  for (const PreferencePair& pair : pairs) {
    if (pair.source == source) margins.push_back(pair.margin_percent());
  }
  MarginSummary summary;
  summary.count = margins.size();
  if (margins.empty()) return summary;
  std::sort(margins.begin(), margins.end());
  summary.mean = mean_of(margins);
  summary.median = quantile(margins, 0.5);
  summary.p10 = quantile(margins, 0.1);
  summary.p90 = quantile(margins, 0.9);
  return summary;
}

}  // namespace eco::train
