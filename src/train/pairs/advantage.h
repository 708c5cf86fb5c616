#pragma once
// Advantages of sampled solutions for the online controls: how much better than a baseline, in
// units of the baseline or of the pool's spread. Positive is better.

#include <vector>

#include "train/pairs/pairs.h"

namespace eco::train {

// (mean - cost) / standard deviation of the pool; 0 where all cost the same. For ppo.
[[nodiscard]] std::vector<double> standardised_advantage(const Pool& pool);

// (baseline - cost) / baseline. rollout: the greedy cost of the frozen policy; multistart: the
// mean.
[[nodiscard]] std::vector<double> relative_advantage(const Pool& pool, double baseline);

[[nodiscard]] double mean_cost(const Pool& pool);

// LS for the online controls: one random solution of the pool gives way to what the operators make
// of it.
void refine_one(Pool& pool, const std::vector<std::string>& operators, Rng& rng);

}  // namespace eco::train
