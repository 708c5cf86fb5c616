#pragma once
// A frozen copy of the policy that is taken anew every so many rounds.

#include <algorithm>
#include <optional>

#include "train/loop/state_file.h"
#include "train/loop/trainer.h"
#include "train/nn/policy.h"

namespace eco::train {

class ReferencePolicy {
 public:
  explicit ReferencePolicy(std::size_t refresh_every) : refresh_every_(refresh_every) {}

  void begin(Trainer& trainer) {
    policy_ = trainer.policy().copy();
    if (!trainer.resumed()) return;
    const auto size = static_cast<std::size_t>(policy_->flat().numel());
    const auto& saved = trainer.resumed()->array("reference", size);
    std::copy(saved.begin(), saved.end(), policy_->flat().data_ptr<float>());
  }
  void finish(const Policy& policy, std::uint64_t rounds) {
    if (rounds % refresh_every_ == 0) replace(policy);
  }
  void replace(const Policy& policy) { policy_->flat().copy_(policy.flat()); }
  void save(TrainState& state) const {
    const float* values = policy_->flat().data_ptr<float>();
    state.arrays["reference"].assign(values, values + policy_->flat().numel());
  }

  [[nodiscard]] const Policy& operator*() const { return *policy_; }

 private:
  std::size_t refresh_every_;
  std::optional<Policy> policy_;
};

}  // namespace eco::train
