#include "train/nn/init.h"

#include <algorithm>
#include <cmath>

namespace eco::train {

namespace {

double step_size(Rng& rng) {
  return std::max(std::exp(rng.uniform(std::log(1e-3), std::log(1e-1))), 1e-4);
}

// Residual branches of the stack that a tensor belongs to.
double branches(const ModelConfig& config, const std::string& name) {
  if (name.starts_with("cand.")) return static_cast<double>(config.candidate_layers);
  const std::size_t layers =
      name.starts_with("encoder.") ? config.encoder_layers : config.decoder_layers;
  return static_cast<double>(layers * (config.ffn ? 2 : 1));
}

}  // namespace

void initialise(const ModelConfig& config, const TensorSpec& spec, Rng& rng,
                std::span<float> values) {
  const auto fill = [&](auto&& draw) {
    for (float& value : values) value = static_cast<float>(draw());
  };
  const double bound = 1.0 / std::sqrt(static_cast<double>(spec.shape.back()));
  switch (spec.init) {
    case Init::linear:
      return fill([&] { return rng.uniform(-bound, bound); });
    case Init::residual: {
      const double scaled = bound / std::sqrt(branches(config, spec.name));
      return fill([&] { return rng.uniform(-scaled, scaled); });
    }
    case Init::zeros:
      return fill([] { return 0.0; });
    case Init::ones:
      return fill([] { return 1.0; });
    case Init::a_log:
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(std::log(static_cast<double>(1 + i % spec.shape.back())));
      }
      return;
    case Init::dt_bias:  // inverse of softplus
      return fill([&] {
        const double dt = step_size(rng);
        return dt + std::log(-std::expm1(-dt));
      });
    case Init::log_dt:
      return fill([&] { return std::log(step_size(rng)); });
    case Init::dt_weight:
      return fill([&] { return rng.uniform(-bound, bound); });
    case Init::normal:
      return fill([&] { return 0.5 * rng.normal(); });
    case Init::token:
      return fill([&] { return 0.02 * rng.normal(); });
  }
}

}  // namespace eco::train
