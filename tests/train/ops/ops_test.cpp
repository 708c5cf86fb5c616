// Every fused operation against its plain twin in double: values and all gradients, at lengths
// around the chunk and tile borders; and the twin's gradients against differences.

#include "train/ops/ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/rng.h"

namespace eco::train {
namespace {

using at::Tensor;
using Inputs = std::vector<Tensor>;
using Operation = std::function<Tensor(const Inputs&)>;

constexpr std::int64_t kLengths[] = {1, 2, 63, 64, 65, 1000};
constexpr std::int64_t kBatches[] = {1, 7};
constexpr std::int64_t kChannels = 16, kState = 16;

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
Outcome run(const Operation& operation, const Inputs& inputs, at::ScalarType type,
            const Tensor& weight) {
  Inputs leaves;
  for (const Tensor& input : inputs) {
    leaves.push_back(input.to(type, false, /*copy=*/true).requires_grad_());
  }
  const Tensor value = operation(leaves);
  return {value.detach().to(at::kDouble),
          torch::autograd::grad({(value * weight.to(type)).sum()}, leaves)};
}

void expect_close(const Tensor& found, const Tensor& expected, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(found.sizes(), expected.sizes()) << what;
  const double scale = 1e-3 + expected.abs().max().item<double>();
  EXPECT_LT((found.to(at::kDouble) - expected).abs().max().item<double>(), tolerance * scale)
      << what;
}

void check(const std::string& name, const Operation& fused, const Operation& plain,
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

std::string label(const char* name, std::int64_t batch, std::int64_t length) {
  return std::string(name) + " batch " + std::to_string(batch) + " length " +
         std::to_string(length);
}

TEST(FusedOps, ProjectIsItsTwin) {
  Draw draw(12);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      const Inputs inputs{draw.normal({batch, length, 40}), draw.normal({13, 40}),
                          draw.normal({21, 7})};
      // Whole rows, and the first columns of wider ones.
      check(
          label("project", batch, length),
          [](const Inputs& in) {
            return project(in[0], in[1]).sum(2) + project(in[0].narrow(2, 0, 7), in[2]).sum(2);
          },
          [](const Inputs& in) {
            return plain::project(in[0], in[1]).sum(2) +
                   plain::project(in[0].narrow(2, 0, 7), in[2]).sum(2);
          },
          inputs, draw);
    }
  }
  check(
      "project of a matrix", [](const Inputs& in) { return project(in[0], in[1]); },
      [](const Inputs& in) { return plain::project(in[0], in[1]); },
      {draw.normal({9, 3}), draw.normal({5, 3})}, draw);
}

TEST(FusedOps, FeedForwardIsItsTwin) {
  Draw draw(13);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      check(
          label("feed_forward", batch, length),
          [](const Inputs& in) { return feed_forward(in[0], in[1], in[2], in[3], in[4], in[5]); },
          [](const Inputs& in) {
            return plain::feed_forward(in[0], in[1], in[2], in[3], in[4], in[5]);
          },
          {draw.normal({batch, length, 24}), draw.normal({24}, 0.3, 1.0),
           draw.normal({48, 24}, 0.3), draw.normal({48}), draw.normal({24, 48}, 0.3),
           draw.normal({24})},
          draw);
    }
  }
}

TEST(FusedOps, RmsNormIsItsTwin) {
  Draw draw(1);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      check(
          label("rms_norm", batch, length), [](const Inputs& in) { return rms_norm(in[0], in[1]); },
          [](const Inputs& in) { return plain::rms_norm(in[0], in[1]); },
          {draw.normal({batch, length, 24}), draw.normal({24}, 0.3, 1.0)}, draw);
    }
  }
}

TEST(FusedOps, BiasSiluIsItsTwin) {
  Draw draw(2);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      check(
          label("bias_silu", batch, length),
          [](const Inputs& in) { return bias_silu(in[0], in[1]); },
          [](const Inputs& in) { return plain::bias_silu(in[0], in[1]); },
          {draw.normal({batch, length, 24}, 4.0), draw.normal({24})}, draw);
    }
  }
}

TEST(FusedOps, CausalConvSiluIsItsTwin) {
  Draw draw(3);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      // The left half of a wider tensor, as the model calls it.
      check(
          label("conv", batch, length),
          [](const Inputs& in) {
            return causal_conv_silu(in[0].narrow(2, 0, kChannels), in[1], in[2]);
          },
          [](const Inputs& in) {
            return plain::causal_conv_silu(in[0].narrow(2, 0, kChannels), in[1], in[2]);
          },
          {draw.normal({batch, length, 2 * kChannels}), draw.normal({kChannels, 4}),
           draw.normal({kChannels})},
          draw);
    }
  }
}

TEST(FusedOps, SelectiveScanIsItsTwin) {
  Draw draw(4);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      const auto with = [](auto scan) {
        return [scan](const Inputs& in) {
          return scan(in[0], in[1], in[2], in[3], in[4].narrow(2, 0, kState),
                      in[4].narrow(2, kState, kState), in[5],
                      in[6].narrow(2, kChannels, kChannels));
        };
      };
      check(label("selective_scan", batch, length), with(selective_scan),
            with(plain::selective_scan),
            {draw.normal({batch, length, kChannels}), draw.normal({batch, length, kChannels}),
             draw.normal({kChannels}, 1.0, -2.0), draw.normal({kChannels, kState}, 1.0, 0.5),
             draw.normal({batch, length, 2 * kState}), draw.normal({kChannels}),
             draw.normal({batch, length, 2 * kChannels})},
            draw);
    }
  }
}

TEST(FusedOps, LtiScanIsItsTwin) {
  Draw draw(5);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      const auto with = [](auto scan) {
        return [scan](const Inputs& in) {
          return scan(in[0], in[1], in[2], in[3], in[4], in[5].narrow(2, kChannels, kChannels));
        };
      };
      check(label("lti_scan", batch, length), with(lti_scan), with(plain::lti_scan),
            {draw.normal({batch, length, kChannels}), draw.normal({kChannels}, 1.0, -4.0),
             draw.normal({kChannels, kState}, 1.0, 0.5), draw.normal({kChannels, kState}),
             draw.normal({kChannels}), draw.normal({batch, length, 2 * kChannels})},
            draw);
    }
  }
}

TEST(FusedOps, SelectiveMixerIsItsTwin) {
  Draw draw(14);
  constexpr std::int64_t kDim = 16, kRank = 3;
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      const auto with = [](auto mixer) {
        return [mixer](const Inputs& in) {
          return mixer(in[0], SelectiveWeights{in[1], in[2], in[3], in[4], in[5], in[6], in[7],
                                               in[8], in[9]});
        };
      };
      check(label("selective_mixer", batch, length), with(selective_mixer),
            with(plain::selective_mixer),
            {draw.normal({batch, length, kDim}), draw.normal({2 * kChannels, kDim}, 0.3),
             draw.normal({kChannels, 4}), draw.normal({kChannels}),
             draw.normal({kRank + 2 * kState, kChannels}, 0.3), draw.normal({kChannels, kRank}),
             draw.normal({kChannels}, 1.0, -2.0), draw.normal({kChannels, kState}, 1.0, 0.5),
             draw.normal({kChannels}), draw.normal({kDim, kChannels}, 0.3)},
            draw);
    }
  }
}

TEST(FusedOps, LtiMixerIsItsTwin) {
  Draw draw(15);
  constexpr std::int64_t kDim = 16;
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t length : kLengths) {
      const auto with = [](auto mixer) {
        return [mixer](const Inputs& in) {
          return mixer(in[0], LtiWeights{in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8]});
        };
      };
      check(label("lti_mixer", batch, length), with(lti_mixer), with(plain::lti_mixer),
            {draw.normal({batch, length, kDim}), draw.normal({2 * kChannels, kDim}, 0.3),
             draw.normal({kChannels, 4}), draw.normal({kChannels}),
             draw.normal({kChannels}, 1.0, -4.0), draw.normal({kChannels, kState}, 1.0, 0.5),
             draw.normal({kChannels, kState}), draw.normal({kChannels}),
             draw.normal({kDim, kChannels}, 0.3)},
            draw);
    }
  }
}

// Random tours: every node once; `extra` solutions share the first instance.
PointerMask tsp_mask(std::int64_t instances, std::int64_t extra, std::int64_t nodes, Draw& draw) {
  const std::int64_t solutions = instances + extra;
  PointerMask mask;
  mask.instance = at::zeros({solutions}, at::kLong);
  mask.instance.narrow(0, 0, instances).copy_(at::arange(instances, at::kLong));
  mask.path = at::empty({solutions, nodes}, at::kLong);
  for (std::int64_t s = 0; s < solutions; ++s) {
    std::int64_t* row = mask.path.data_ptr<std::int64_t>() + s * nodes;
    std::iota(row, row + nodes, 0);
    draw.rng().shuffle(std::span(row, static_cast<std::size_t>(nodes)));
  }
  mask.order = mask.path;
  mask.counted = at::ones({solutions, nodes}, at::kFloat);
  if (nodes > 1) mask.counted.select(1, 0).zero_();
  mask.served = at::arange(nodes, at::kInt).expand({solutions, nodes}).contiguous();
  return mask;
}

// Random routes of demands 1..9 at capacity 30, padded to the longest.
PointerMask cvrp_mask(std::int64_t instances, std::int64_t nodes, Draw& draw) {
  constexpr std::int32_t kCapacity = 30;
  const std::int64_t customers = nodes - 1, steps = 2 * nodes;
  const auto zeros = [&](std::int64_t width, at::ScalarType type) {
    return at::zeros({instances, width}, type);
  };
  PointerMask mask;
  mask.instance = at::arange(instances, at::kLong);
  mask.path = zeros(steps, at::kLong);
  mask.counted = zeros(steps, at::kFloat);
  mask.order = zeros(customers, at::kLong);
  mask.served = at::full({instances, steps}, customers, at::kInt);
  mask.at_depot = at::ones({instances, steps}, at::kFloat);
  mask.rank = zeros(nodes, at::kInt);
  mask.fits = zeros(steps, at::kInt);
  for (std::int64_t s = 0; s < instances; ++s) {
    const auto at = [&](const Tensor& t) { return t[s]; };
    std::vector<std::int64_t> order(static_cast<std::size_t>(customers));
    std::iota(order.begin(), order.end(), 1);
    draw.rng().shuffle(std::span(order));
    // Demands stand for their own ranks: the mask only compares them.
    for (const std::int64_t node : order) {
      at(mask.rank)[node] = 1 + static_cast<int>(draw.below(9));
    }
    std::int32_t load = kCapacity, done = 0;
    std::int64_t t = 0;
    bool at_depot = true;
    const auto step = [&](std::int64_t node, bool counted) {
      at(mask.path)[t] = node;
      at(mask.counted)[t] = counted ? 1.0F : 0.0F;
      at(mask.served)[t] = done;
      at(mask.at_depot)[t] = at_depot ? 1.0F : 0.0F;
      at(mask.fits)[t] = load + 1;
      ++t;
      at_depot = node == 0;
    };
    for (const std::int64_t node : order) {
      const auto demand = at(mask.rank)[node].item<std::int32_t>();
      if (demand > load || (!at_depot && draw.below(6) == 0)) {
        step(0, true);
        load = kCapacity;
      }
      step(node, true);
      at(mask.order)[done++] = node;
      load -= demand;
    }
    step(0, false);
  }
  return mask;
}

void check_pointer(const std::string& name, const PointerMask& mask, std::int64_t instances,
                   std::int64_t nodes, Draw& draw) {
  check(
      name, [&](const Inputs& in) { return pointer_log_probs(in[0], in[1], in[2], mask); },
      [&](const Inputs& in) { return plain::pointer_log_probs(in[0], in[1], in[2], mask); },
      {draw.normal({mask.path.size(0), mask.path.size(1), 16}, 2.0),
       draw.normal({instances, nodes, 16}), draw.normal({instances, nodes})},
      draw);
}

TEST(FusedOps, PointerLossIsItsTwinOnTours) {
  Draw draw(6);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t nodes : kLengths) {
      if (batch == 7 && nodes == 1000) continue;  // the twin would need a gigabyte
      check_pointer(label("tsp pointer", batch, nodes), tsp_mask(batch, 2, nodes, draw), batch,
                    nodes, draw);
    }
  }
}

TEST(FusedOps, PointerLossIsItsTwinOnRoutes) {
  Draw draw(7);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t nodes : {2, 3, 63, 64, 65, 200}) {
      check_pointer(label("cvrp pointer", batch, nodes), cvrp_mask(batch, nodes, draw), batch,
                    nodes, draw);
    }
  }
}

Tensor random_tokens(at::IntArrayRef shape, std::int64_t tokens, Draw& draw) {
  Tensor result = at::empty(shape, at::kLong);
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    result.data_ptr<std::int64_t>()[i] = draw.below(static_cast<std::uint32_t>(tokens));
  }
  return result;
}

TEST(FusedOps, CandidateInputIsItsTwin) {
  Draw draw(8);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t steps : {1, 2, 65}) {
      const Tensor tokens = random_tokens({batch, steps, 5}, 9, draw);
      check(
          label("candidate_input", batch, steps),
          [&](const Inputs& in) { return candidate_input(in[0], in[1], in[2], in[3], tokens); },
          [&](const Inputs& in) {
            return plain::candidate_input(in[0], in[1], in[2], in[3], tokens);
          },
          {draw.normal({batch, steps, 5, 24}), draw.normal({24}), draw.normal({batch, steps, 24}),
           draw.normal({batch, 9, 24})},
          draw);
    }
  }
}

TEST(FusedOps, CandidateDotsAreTheirTwin) {
  Draw draw(9);
  for (const std::int64_t batch : kBatches) {
    for (const std::int64_t steps : {1, 2, 65}) {
      const Tensor tokens = random_tokens({batch, steps, 5}, 9, draw);
      check(
          label("candidate_dots", batch, steps),
          [&](const Inputs& in) { return candidate_dots(in[0], in[1], in[2], tokens); },
          [&](const Inputs& in) { return plain::candidate_dots(in[0], in[1], in[2], tokens); },
          {draw.normal({batch, steps, 24}), draw.normal({batch, 9, 24}), draw.normal({batch, 9})},
          draw);
    }
  }
}

TEST(FusedOps, SetAttentionIsItsTwin) {
  Draw draw(10);
  for (const std::int64_t sets : {1, 7, 65}) {
    for (const std::int64_t k : {1, 5, 16, 33}) {
      for (const std::int64_t width : {3, 8, 24}) {
        Tensor count = at::empty({sets}, at::kInt);
        for (std::int64_t i = 0; i < sets; ++i) {
          count[i] = 1 + static_cast<int>(draw.below(static_cast<std::uint32_t>(k)));
        }
        check(
            "set_attention " + std::to_string(k) + " x " + std::to_string(width),
            [&](const Inputs& in) { return set_attention(in[0], count); },
            [&](const Inputs& in) { return plain::set_attention(in[0], count); },
            {draw.normal({sets, k, 3, 2, width}, 2.0)}, draw);
      }
    }
  }
}

TEST(Ops, PlainSwitchTakesTheTwin) {
  Draw draw(11);
  const Tensor x = draw.normal({3, 24}), weight = draw.normal({24});
  set_ops(Ops::plain);
  const Tensor switched = rms_norm(x, weight);
  set_ops(Ops::fused);
  EXPECT_TRUE(switched.equal(plain::rms_norm(x, weight)));
}

}  // namespace
}  // namespace eco::train
