#include "train/loop/optimizer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace eco::train {

namespace {

constexpr float kEpsilon = 1e-8F;

}  // namespace

Optimizer::Optimizer(const OptimizerConfig& config, std::vector<std::uint8_t> decays)
    : config_(config), decays_(std::move(decays)) {
  state_.first.assign(decays_.size(), 0);
  state_.second.assign(decays_.size(), 0);
}

void Optimizer::restore(State state) {
  assert(state.first.size() == decays_.size() && state.second.size() == decays_.size());
  state_ = std::move(state);
}

void Optimizer::update(std::span<float> values, std::span<const float> gradient, double rate) {
  assert(values.size() == decays_.size() && gradient.size() == decays_.size());
  const auto steps = static_cast<double>(++state_.steps);
  const auto beta1 = static_cast<float>(config_.beta1);
  const auto beta2 = static_cast<float>(config_.beta2);
  const auto unbias1 = static_cast<float>(1 / (1 - std::pow(config_.beta1, steps)));
  const auto unbias2 = static_cast<float>(1 / (1 - std::pow(config_.beta2, steps)));
  const auto step_size = static_cast<float>(rate);
  const float shrink =
      config_.kind == OptimizerKind::adamw ? static_cast<float>(rate * config_.weight_decay) : 0.0F;
  for (std::size_t i = 0; i < values.size(); ++i) {
    float& first = state_.first[i];
    float& second = state_.second[i];
    first = beta1 * first + (1 - beta1) * gradient[i];
    second = beta2 * second + (1 - beta2) * gradient[i] * gradient[i];
    const float move = first * unbias1 / (std::sqrt(second * unbias2) + kEpsilon);
    values[i] -= step_size * move + shrink * static_cast<float>(decays_[i]) * values[i];
  }
}

double learning_rate(const OptimizerConfig& config, std::uint64_t step, double progress) {
  double rate = config.rate;
  if (config.schedule == Schedule::cosine) {
    const double half = 0.5 * (1 + std::cos(std::numbers::pi * std::clamp(progress, 0.0, 1.0)));
    rate *= config.final_share + (1 - config.final_share) * half;
  }
  if (step < config.warmup) {
    rate *= static_cast<double>(step + 1) / static_cast<double>(config.warmup);
  }
  return rate;
}

double clip_gradient(std::span<float> gradient, double clip) {
  double squares = 0;
  for (const float value : gradient) squares += static_cast<double>(value) * value;
  const double norm = std::sqrt(squares);
  if (clip > 0 && norm > clip) {
    const auto scale = static_cast<float>(clip / norm);
    for (float& value : gradient) value *= scale;
  }
  return norm;
}

}  // namespace eco::train
