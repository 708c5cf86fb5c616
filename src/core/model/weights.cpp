#include "core/model/weights.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace eco {

Weights::Weights(const ModelConfig& config) : config_(config), specs_(tensor_specs(config)) {
  validate(config);
  data_.reserve(specs_.size());
  for (const TensorSpec& spec : specs_) {
    by_name_.emplace(spec.name, data_.size());
    data_.emplace_back(spec.elements());
  }
}

std::size_t Weights::index(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    throw Error(ErrorKind::usage, "the model has no tensor " + quoted(name));
  }
  return found->second;
}

std::span<float> Weights::tensor(std::string_view name) {
  return data_[index(name)].span();
}
std::span<const float> Weights::tensor(std::string_view name) const {
  return data_[index(name)].span();
}

std::size_t Weights::parameters() const {
  std::size_t count = 0;
  for (const auto& tensor : data_) count += tensor.size();
  return count;
}

namespace {

// Residual branches of the stack that a tensor belongs to: each adds to the same sum.
double residual_branches(const ModelConfig& config, std::string_view name) {
  const std::size_t per_layer =
      (config.ffn ? 2 : 1) + (config.constructor == ConstructorKind::merging ? 2 : 0);
  if (name.starts_with("encoder.")) return static_cast<double>(config.encoder_layers * per_layer);
  if (name.starts_with("decoder.")) return static_cast<double>(config.decoder_layers * per_layer);
  return static_cast<double>(config.scorer_layers);
}

void fill(const ModelConfig& config, const TensorSpec& spec, std::span<float> values, Rng& rng) {
  const double fan_in = static_cast<double>(spec.shape.back());
  const auto each = [&](auto draw) {
    std::generate(values.begin(), values.end(), [&] { return static_cast<float>(draw()); });
  };
  const auto uniform = [&](double bound) {
    each([&, bound] { return rng.uniform(-bound, bound); });
  };
  const auto time_step = [&] {
    return std::max(std::exp(rng.uniform(std::log(1e-3), std::log(1e-1))), 1e-4);
  };
  switch (spec.init) {
    case Init::linear:
      return uniform(1 / std::sqrt(fan_in));
    case Init::residual:
      return uniform(1 / std::sqrt(fan_in * residual_branches(config, spec.name)));
    case Init::zeros:
      return each([] { return 0.0; });
    case Init::ones:
      return each([] { return 1.0; });
    case Init::a_log:
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::log(static_cast<float>(i % spec.shape.back() + 1));
      }
      return;
    case Init::dt_bias:
      return each([&] {
        const double dt = time_step();
        return dt + std::log(-std::expm1(-dt));
      });
    case Init::log_dt:
      return each([&] { return std::log(time_step()); });
    case Init::dt_weight:
      return uniform(1 / std::sqrt(static_cast<double>(config.dt_rank())));
    case Init::normal:
      return each([&] { return 0.5 * rng.normal(); });
    case Init::token:
      return each([&] { return 0.02 * rng.normal(); });
  }
}

}  // namespace

Weights random_weights(const ModelConfig& config, std::uint64_t seed) {
  Weights weights(config);
  std::uint64_t stream = 0;
  for (const TensorSpec& spec : weights.specs()) {
    Rng rng(seed, stream++);
    fill(config, spec, weights.tensor(spec.name), rng);
  }
  return weights;
}

}  // namespace eco
