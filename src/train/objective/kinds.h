#pragma once
// What makes each objective; the table is in registry.cpp.

#include <memory>

#include "train/objective/objective.h"

namespace eco::train {

using ObjectiveOwner = std::unique_ptr<Objective>;

// Constructor sequential, on labels (labels.cpp).
[[nodiscard]] ObjectiveOwner sequential_labels(const TrainConfig& config);
// On pairs among its own samples (pairs.cpp).
[[nodiscard]] ObjectiveOwner sequential_dpo(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner sequential_logistic(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner sequential_hinge(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner sequential_winners(const TrainConfig& config);
// On the advantage of its own samples over a baseline (advantages.cpp).
[[nodiscard]] ObjectiveOwner sequential_ppo(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner sequential_rollout(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner sequential_multistart(const TrainConfig& config);
// On the balance of flows over its own samples (balance.cpp).
[[nodiscard]] ObjectiveOwner sequential_balance(const TrainConfig& config);

// Constructor merging, on states that it comes to (merging.cpp): labels on right ways only, the
// expert's way on after wrong links too, and pairs from a state on.
[[nodiscard]] ObjectiveOwner merging_labels(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner merging_complete(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner merging_dpo(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner merging_logistic(const TrainConfig& config);
[[nodiscard]] ObjectiveOwner merging_hinge(const TrainConfig& config);

}  // namespace eco::train
