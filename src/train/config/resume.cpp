#include "train/config/resume.h"

#include <algorithm>
#include <array>

namespace eco::train {

namespace {

// No effect on what is learned. Files are compared by what they hold, not by name.
constexpr std::array<std::string_view, 5> kHarmless = {"threads", "log_every", "data.cache",
                                                       "data.files", "data.label_threads"};
// Of a stage, and of the run: an effect from here on.
constexpr std::array<std::string_view, 10> kLaterOfStage = {
    "steps", "iterations", "minutes",  "tokens",      "rate",
    "clip",  "warmup",     "schedule", "final_share", "weight_decay"};
constexpr std::array<std::string_view, 2> kLater = {"parts", "ops"};

template <class Names>
bool among(std::string_view key, const Names& names) {
  return std::find(names.begin(), names.end(), key) != names.end();
}

enum class Effect : std::uint8_t { none, later, another_run };

Effect effect_of(std::string_view key, std::string_view stage) {
  if (among(key, kHarmless)) return Effect::none;
  if (key.starts_with("validate.") || key.starts_with("checkpoint.")) return Effect::none;
  if (among(key, kLater)) return Effect::later;
  const std::string_view name = key.substr(key.find('.') + 1);
  if (key.starts_with(stage) && name == "validate_every") return Effect::none;
  if (key.starts_with(stage) && among(name, kLaterOfStage)) return Effect::later;
  return Effect::another_run;
}

bool of_other_stage(std::string_view key, std::string_view stage) {
  return key.starts_with(stage == "sft" ? "improve." : "sft.");
}

}  // namespace

std::vector<ConfigChange> changes_on_resume(const std::map<std::string, std::string>& saved,
                                            const TrainConfig& config, std::string_view stage) {
  std::vector<ConfigChange> changes;
  std::string refused;
  for (const auto& [key, value] : to_fields(config)) {
    const auto before = saved.find(key);
    if (before == saved.end() || before->second == value || of_other_stage(key, stage)) continue;
    const Effect effect = effect_of(key, stage);
    if (effect == Effect::another_run) {
      refused.append(refused.empty() ? "" : ", ")
          .append(key + " (was '" + before->second + "', now '" + value + "')");
    }
    changes.push_back({key, before->second, value, effect == Effect::later});
  }
  if (!refused.empty()) {
    throw Error(ErrorKind::usage,
                "--resume goes on with the run that was begun and cannot change " + refused +
                    "; start another run with another --out");
  }
  return changes;
}

}  // namespace eco::train
