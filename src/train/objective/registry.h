#pragma once
// The objectives by name. Stage one imitates labels; stage two takes any of the table that its
// constructor knows.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "train/config/train_config.h"

namespace eco::train {

class Objective;

struct ObjectiveKind {
  using Make = std::unique_ptr<Objective> (*)(const TrainConfig& config);

  std::string_view name;
  bool pairs;                // learns from preferences between two solutions
  Make sequential, merging;  // null: the constructor does not learn this way
};

[[nodiscard]] std::span<const ObjectiveKind> objectives();
// Null: there is none of that name for the constructor.
[[nodiscard]] const ObjectiveKind* find_objective(std::string_view name,
                                                  ConstructorKind constructor);
[[nodiscard]] std::vector<std::string_view> objective_names(ConstructorKind constructor);

// Stage one.
[[nodiscard]] std::unique_ptr<Objective> make_imitation(const TrainConfig& config);
// Stage two: improve.objective.
[[nodiscard]] std::unique_ptr<Objective> make_objective(const TrainConfig& config);

}  // namespace eco::train
