// Every fused operation against its plain twin, at lengths around the chunk and tile borders.

#include "train/ops/ops.h"

#include <gtest/gtest.h>

#include <numeric>

#include "train/ops/twins.h"

namespace eco::train {
namespace {

using at::Tensor;
using twins::check;
using twins::Draw;
using twins::Inputs;
using twins::random_tokens;

constexpr std::int64_t kLengths[] = {1, 2, 63, 64, 65, 1000};
constexpr std::int64_t kBatches[] = {1, 7};
constexpr std::int64_t kChannels = 16, kState = 16;

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
      const auto weights = [](const Inputs& in) {
        return SelectiveWeights{in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]};
      };
      check(
          label("selective_mixer", batch, length),
          [&](const Inputs& in) { return selective_mixer(in[0], weights(in)); },
          [&](const Inputs& in) { return plain::selective_mixer(in[0], weights(in)); },
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
