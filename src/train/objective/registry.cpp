#include "train/objective/registry.h"

#include <array>
#include <cassert>

#include "train/objective/kinds.h"

namespace eco::train {

namespace {

constexpr std::array kObjectives{
    ObjectiveKind{"dpo", true, sequential_dpo, merging_dpo},
    ObjectiveKind{"logistic", true, sequential_logistic, merging_logistic},
    ObjectiveKind{"hinge", true, sequential_hinge, merging_hinge},
    ObjectiveKind{"imitate", true, sequential_winners, nullptr},
    ObjectiveKind{"ppo", false, sequential_ppo, nullptr},
    ObjectiveKind{"rollout", false, sequential_rollout, nullptr},
    ObjectiveKind{"multistart", false, sequential_multistart, nullptr},
    ObjectiveKind{"balance", false, sequential_balance, nullptr},
    ObjectiveKind{"complete", false, nullptr, merging_complete},
};

ObjectiveKind::Make make_of(const ObjectiveKind& kind, ConstructorKind constructor) {
  return constructor == ConstructorKind::merging ? kind.merging : kind.sequential;
}

}  // namespace

std::span<const ObjectiveKind> objectives() {
  return kObjectives;
}

const ObjectiveKind* find_objective(std::string_view name, ConstructorKind constructor) {
  for (const ObjectiveKind& kind : kObjectives) {
    if (kind.name == name && make_of(kind, constructor) != nullptr) return &kind;
  }
  return nullptr;
}

std::vector<std::string_view> objective_names(ConstructorKind constructor) {
  std::vector<std::string_view> names;
  for (const ObjectiveKind& kind : kObjectives) {
    if (make_of(kind, constructor) != nullptr) names.push_back(kind.name);
  }
  return names;
}

std::unique_ptr<Objective> make_imitation(const TrainConfig& config) {
  return config.model.constructor == ConstructorKind::merging ? merging_labels(config)
                                                              : sequential_labels(config);
}

std::unique_ptr<Objective> make_objective(const TrainConfig& config) {
  const ConstructorKind constructor = config.model.constructor;
  const ObjectiveKind* kind = find_objective(config.improve.objective, constructor);
  assert(kind != nullptr);  // the config was checked
  return make_of(*kind, constructor)(config);
}

}  // namespace eco::train
