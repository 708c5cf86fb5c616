#include "train/pairs/advantage.h"

#include <cmath>
#include <numeric>

namespace eco::train {

double mean_cost(const Pool& pool) {
  return std::accumulate(pool.costs.begin(), pool.costs.end(), 0.0) /
         static_cast<double>(pool.costs.size());
}

std::vector<double> standardised_advantage(const Pool& pool) {
  const double mean = mean_cost(pool);
  double squares = 0;
  for (const double cost : pool.costs) squares += (cost - mean) * (cost - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(pool.costs.size()));
  std::vector<double> result;
  for (const double cost : pool.costs) {
    // Costs equal but for rounding say nothing.
    result.push_back(deviation > 1e-9 * mean ? (mean - cost) / deviation : 0);
  }
  return result;
}

std::vector<double> relative_advantage(const Pool& pool, double baseline) {
  std::vector<double> result;
  for (const double cost : pool.costs) result.push_back((baseline - cost) / baseline);
  return result;
}

void refine_one(Pool& pool, const std::vector<std::string>& operators, Rng& rng) {
  for (PreferencePair& pair : local_search_pairs(pool, operators, rng)) {
    for (std::size_t i = 0; i < pool.solutions.size(); ++i) {
      if (pool.solutions[i] != pair.loser) continue;
      pool.solutions[i] = std::move(pair.winner);
      pool.costs[i] = pair.winner_cost;
      break;
    }
  }
}

}  // namespace eco::train
