#include "train/nn/policy.h"

#include <stdexcept>

#include "train/nn/init.h"

namespace eco::train {

namespace {

at::Tensor fresh_values(const ModelConfig& config, std::uint64_t seed) {
  const std::vector<TensorSpec> specs = tensor_specs(config);
  std::size_t total = 0;
  for (const TensorSpec& spec : specs) total += spec.elements();
  at::Tensor flat = at::empty({static_cast<std::int64_t>(total)}, at::kFloat);
  float* values = flat.data_ptr<float>();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Rng rng(seed, i);
    initialise(config, specs[i], rng, {values, specs[i].elements()});
    values += specs[i].elements();
  }
  return flat;
}

}  // namespace

Policy::Policy(const ModelConfig& config, std::uint64_t seed)
    : Policy(config, fresh_values(config, seed)) {}

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

const at::Tensor& Policy::operator[](const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) throw std::logic_error("no parameter named " + name);
  return values_[found->second];
}

}  // namespace eco::train
