#pragma once
// A fused operation against its plain twin in double: values and all gradients; and the twin's
// gradients against differences.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "train/torch.h"

namespace eco::train::twins {

using at::Tensor;
using Inputs = std::vector<Tensor>;
using Operation = std::function<Tensor(const Inputs&)>;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : rng_(seed) {}
  Tensor normal(at::IntArrayRef shape, double deviation = 1.0, double mean = 0.0) {
    Tensor result = at::empty(shape, at::kFloat);
    for (std::int64_t i = 0; i < result.numel(); ++i) {
      result.data_ptr<float>()[i] = static_cast<float>(mean + deviation * rng_.normal());
    }
    return result;
  }
  std::uint32_t below(std::uint32_t bound) { return rng_.below(bound); }
  Rng& rng() { return rng_; }

 private:
  Rng rng_;
};

struct Outcome {
  Tensor value;
  Inputs gradients;
};

// The value and the gradient of sum(value * weight) in the given precision.
inline Outcome run(const Operation& operation, const Inputs& inputs, at::ScalarType type,
                   const Tensor& weight) {
  Inputs leaves;
  for (const Tensor& input : inputs) {
    leaves.push_back(input.to(type, false, /*copy=*/true).requires_grad_());
  }
  const Tensor value = operation(leaves);
  return {value.detach().to(at::kDouble),
          torch::autograd::grad({(value * weight.to(type)).sum()}, leaves)};
}

inline void expect_close(const Tensor& found, const Tensor& expected, double tolerance,
                         const std::string& what) {
  ASSERT_EQ(found.sizes(), expected.sizes()) << what;
  const double scale = 1e-3 + expected.abs().max().item<double>();
  EXPECT_LT((found.to(at::kDouble) - expected).abs().max().item<double>(), tolerance * scale)
      << what;
}

inline void check(const std::string& name, const Operation& fused, const Operation& plain,
                  const Inputs& inputs, Draw& draw) {
  const Tensor example = plain(inputs);
  const Tensor weight = draw.normal(example.sizes());
  const Outcome found = run(fused, inputs, at::kFloat, weight);
  const Outcome expected = run(plain, inputs, at::kDouble, weight);
  expect_close(found.value, expected.value, 2e-5, name + " value");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    expect_close(found.gradients[i], expected.gradients[i], 1e-4,
                 name + " gradient " + std::to_string(i));
  }
  // The fused pass again, to be sure that nothing of the first is left in a workspace.
  EXPECT_TRUE(run(fused, inputs, at::kFloat, weight).value.equal(found.value)) << name;

  // The twin along a random direction of each input.
  const at::NoGradGuard guard;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor direction = draw.normal(inputs[i].sizes()).to(at::kDouble);
    const auto shifted = [&](double step) {
      Inputs moved;
      for (const Tensor& input : inputs) moved.push_back(input.to(at::kDouble));
      moved[i] = moved[i] + step * direction;
      return (plain(moved) * weight.to(at::kDouble)).sum().item<double>();
    };
    const double step = 1e-6;
    const double difference = (shifted(step) - shifted(-step)) / (2 * step);
    const double along = (expected.gradients[i] * direction).sum().item<double>();
    EXPECT_NEAR(along, difference, 1e-5 * (1 + std::abs(difference))) << name << " input " << i;
  }
}

inline Tensor random_tokens(at::IntArrayRef shape, std::int64_t tokens, Draw& draw) {
  Tensor result = at::empty(shape, at::kLong);
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    result.data_ptr<std::int64_t>()[i] = draw.below(static_cast<std::uint32_t>(tokens));
  }
  return result;
}

}  // namespace eco::train::twins
