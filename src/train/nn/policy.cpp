#include "train/nn/policy.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace eco::train {

namespace {

at::Tensor flat_values(const Weights& weights) {
  at::Tensor flat = at::empty({static_cast<std::int64_t>(weights.parameters())}, at::kFloat);
  float* to = flat.data_ptr<float>();
  for (const TensorSpec& spec : weights.specs()) {
    const std::span<const float> values = weights.tensor(spec.name);
    to = std::copy(values.begin(), values.end(), to);
  }
  return flat;
}

}  // namespace

Policy::Policy(const ModelConfig& config, std::uint64_t seed)
    : Policy(random_weights(config, seed)) {}

Policy::Policy(const Weights& weights) : Policy(weights.config(), flat_values(weights)) {}

Policy::Policy(const ModelConfig& config, const at::Tensor& flat)
    : config_(config), specs_(tensor_specs(config)), flat_(flat) {
  std::int64_t offset = 0;
  for (const TensorSpec& spec : specs_) {
    const auto count = static_cast<std::int64_t>(spec.elements());
    const std::vector<std::int64_t> shape(spec.shape.begin(), spec.shape.end());
    index_.emplace(spec.name, values_.size());
    values_.push_back(flat_.narrow(0, offset, count).view(shape).detach().requires_grad_());
    offset += count;
  }
}

Policy Policy::replica() const {
  return {config_, flat_};
}

Policy Policy::copy(at::ScalarType type) const {
  return {config_, flat_.to(type, /*non_blocking=*/false, /*copy=*/true)};
}

Weights Policy::weights() const {
  Weights result(config_);
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const at::Tensor value = values_[i].detach().to(at::kFloat);
    std::copy_n(value.data_ptr<float>(), value.numel(), result.tensor(specs_[i].name).begin());
  }
  return result;
}

const at::Tensor& Policy::operator[](const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) throw std::logic_error("no parameter named " + name);
  return values_[found->second];
}

void Policy::observe(const std::string& name, const at::Tensor& value) const {
  seen_.push_back({index_.at(name), value});
}

std::vector<Policy::Statistic> Policy::take_statistics() const {
  return std::exchange(seen_, {});
}

}  // namespace eco::train
