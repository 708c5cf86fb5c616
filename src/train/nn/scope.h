#pragma once
// The parameters whose names start with a prefix.

#include <string>
#include <utility>

#include "train/nn/policy.h"
#include "train/ops/ops.h"

namespace eco::train {

class Scope {
 public:
  Scope(const Policy& policy, std::string prefix) : policy_(policy), prefix_(std::move(prefix)) {}
  const at::Tensor& operator[](const std::string& name) const { return policy_[prefix_ + name]; }

 private:
  const Policy& policy_;
  std::string prefix_;
};

[[nodiscard]] inline SelectiveWeights selective_weights(const Scope& p) {
  return {p["in.weight"], p["conv.weight"], p["conv.bias"], p["x.weight"],  p["dt.weight"],
          p["dt.bias"],   p["a_log"],       p["skip"],      p["out.weight"]};
}

}  // namespace eco::train
