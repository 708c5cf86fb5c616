// The operations over packed tokens against their plain twins: sequences of all lengths in one row,
// tokens with no candidate and with all of them.

#include <gtest/gtest.h>

#include <numeric>

#include "train/ops/ops.h"
#include "train/ops/twins.h"

namespace eco::train {
namespace {

using at::Tensor;
using twins::check;
using twins::Draw;
using twins::Inputs;
using twins::random_tokens;

Sequences sequences_of_lengths(const std::vector<std::int64_t>& lengths) {
  Sequences result{{0}};
  for (const std::int64_t length : lengths) result.first.push_back(result.first.back() + length);
  return result;
}

// A random permutation within each sequence.
Tensor shuffled(const Sequences& sequences, Draw& draw) {
  Tensor order = at::arange(sequences.first.back(), at::kLong);
  for (std::size_t i = 0; i + 1 < sequences.first.size(); ++i) {
    draw.rng().shuffle(
        std::span(order.data_ptr<std::int64_t>() + sequences.first[i],
                  static_cast<std::size_t>(sequences.first[i + 1] - sequences.first[i])));
  }
  return order;
}

TEST(PackedOps, PermuteRowsIsItsTwin) {
  Draw draw(20);
  const Tensor order = shuffled({{0, 37}}, draw);
  check(
      "permute_rows", [&](const Inputs& in) { return permute_rows(in[0], order); },
      [&](const Inputs& in) { return plain::permute_rows(in[0], order); }, {draw.normal({37, 24})},
      draw);
}

constexpr std::int64_t kMixerDim = 16, kMixerChannels = 24, kMixerRank = 3;

Inputs mixer_inputs(std::int64_t tokens, Draw& draw) {
  return {draw.normal({tokens, kMixerDim}),
          draw.normal({2 * kMixerChannels, kMixerDim}, 0.3),
          draw.normal({kMixerChannels, 4}),
          draw.normal({kMixerChannels}),
          draw.normal({kMixerRank + 32, kMixerChannels}, 0.3),
          draw.normal({kMixerChannels, kMixerRank}),
          draw.normal({kMixerChannels}, 1.0, -2.0),
          draw.normal({kMixerChannels, 16}, 1.0, 0.5),
          draw.normal({kMixerChannels}),
          draw.normal({kMixerDim, kMixerChannels}, 0.3)};
}

SelectiveWeights weights_of(const Inputs& in) {
  return {in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]};
}

const std::vector<std::int64_t> kPackings[] = {
    {1}, {8, 8, 8}, {1, 2, 3, 4, 5}, {31, 32, 33, 1, 64, 65, 8}, {3, 0, 200, 7}};

TEST(PackedOps, MixerIsItsTwin) {
  Draw draw(21);
  for (const auto& lengths : kPackings) {
    const Sequences sequences = sequences_of_lengths(lengths);
    const std::int64_t tokens = sequences.first.back();
    for (const Tensor& order : {Tensor(), shuffled(sequences, draw)}) {
      check(
          "packed mixer of " + std::to_string(tokens) + (order.defined() ? " in order" : ""),
          [&](const Inputs& in) {
            return selective_mixer(in[0], weights_of(in), sequences, order);
          },
          [&](const Inputs& in) {
            return plain::selective_mixer(in[0], weights_of(in), sequences, order);
          },
          mixer_inputs(tokens, draw), draw);
    }
  }
}

TEST(PackedOps, MixerOfASequenceDoesNotDependOnItsNeighbours) {
  Draw draw(22);
  const Sequences sequences = sequences_of_lengths({40, 17, 8});
  const Inputs in = mixer_inputs(65, draw);
  const Tensor packed = selective_mixer(in[0], weights_of(in), sequences);
  const Tensor alone = selective_mixer(in[0].narrow(0, 40, 17).unsqueeze(0), weights_of(in));
  EXPECT_TRUE(packed.narrow(0, 40, 17).allclose(alone.squeeze(0), 1e-5, 1e-6));
}

TEST(PackedOps, MixerInReverseOrderIsTheMixerOfTheReversed) {
  Draw draw(23);
  const Inputs in = mixer_inputs(50, draw);
  const Tensor backward =
      selective_mixer(in[0], weights_of(in), {{0, 50}}, at::arange(49, -1, -1, at::kLong));
  const Tensor expected = selective_mixer(in[0].flip(0).unsqueeze(0), weights_of(in));
  EXPECT_TRUE(backward.flip(0).equal(expected.squeeze(0)));
}

// Between 0 and k candidates each, with both ends sure to occur.
Tensor random_counts(std::int64_t tokens, std::int64_t k, Draw& draw) {
  Tensor count = at::empty({tokens}, at::kInt);
  for (std::int64_t i = 0; i < tokens; ++i) {
    count[i] = static_cast<int>(draw.below(static_cast<std::uint32_t>(k + 1)));
  }
  count[0] = static_cast<int>(k);
  if (tokens > 1) count[tokens - 1] = 0;
  return count;
}

// What is beyond the count may be anything.
void spoil_missing(const Tensor& candidates, const Tensor& count) {
  const Tensor missing =
      at::arange(candidates.size(1), at::kInt).unsqueeze(0) >= count.unsqueeze(1);
  candidates.masked_fill_(missing, -7);
}

TEST(PackedOps, NeighbourAttentionIsItsTwin) {
  Draw draw(24);
  for (const std::int64_t tokens : {1, 9, 70}) {
    for (const std::int64_t k : {1, 4, 12, 13}) {
      for (const auto& [heads, width] : {std::pair{1, 48}, {2, 8}, {3, 40}}) {
        for (const std::int64_t inputs : {3, 28, 32}) {
          const Tensor count = random_counts(tokens, k, draw);
          const Tensor candidates = random_tokens({tokens, k}, tokens, draw);
          spoil_missing(candidates, count);
          const Tensor features = draw.normal({tokens, k, inputs});
          const auto with = [&](auto attention) {
            return [&, attention](const Inputs& in) {
              const NeighbourMix out = attention(in[0], in[1], candidates, count, features);
              return at::cat({out.mixed, out.edges.flatten(1)}, 1);
            };
          };
          check("neighbour_attention " + std::to_string(k) + " of " + std::to_string(tokens) +
                    ", " + std::to_string(heads) + " x " + std::to_string(width),
                with(neighbour_attention), with(plain::neighbour_attention),
                {draw.normal({tokens, 3, heads, width}), draw.normal({tokens, k, heads})}, draw);
        }
      }
    }
  }
}

TEST(PackedOps, NeighbourAttentionLearnsThroughEitherResultAlone) {
  Draw draw(25);
  const std::int64_t tokens = 20, k = 5;
  const Tensor count = random_counts(tokens, k, draw);
  const Tensor candidates = random_tokens({tokens, k}, tokens, draw);
  const Tensor features = draw.normal({tokens, k, 6});
  for (const bool edges : {false, true}) {
    const auto with = [&](auto attention) {
      return [&, attention](const Inputs& in) {
        const NeighbourMix out = attention(in[0], in[1], candidates, count, features);
        return edges ? out.edges : out.mixed;
      };
    };
    check("one result", with(neighbour_attention), with(plain::neighbour_attention),
          {draw.normal({tokens, 3, 2, 16}), draw.normal({tokens, k, 2})}, draw);
  }
}

// Candidates without repetition, as they are in a state, and each edge's index at its other end.
struct Edges {
  Tensor candidates, count, back;
};
Edges random_edges(std::int64_t tokens, std::int64_t k, Draw& draw) {
  Edges edges{at::zeros({tokens, k}, at::kLong), random_counts(tokens, k, draw),
              at::full({tokens, k}, -1, at::kLong)};
  const auto row = [&](const Tensor& x, std::int64_t i) {
    return x.data_ptr<std::int64_t>() + i * k;
  };
  const int* count = edges.count.data_ptr<int>();
  std::vector<std::int64_t> all(static_cast<std::size_t>(tokens));
  std::iota(all.begin(), all.end(), 0);
  for (std::int64_t i = 0; i < tokens; ++i) {
    draw.rng().shuffle(std::span(all));
    std::copy_n(all.begin(), k, row(edges.candidates, i));
  }
  for (std::int64_t i = 0; i < tokens; ++i) {
    for (std::int64_t a = 0; a < count[i]; ++a) {
      const std::int64_t u = row(edges.candidates, i)[a];
      for (std::int64_t b = 0; b < count[u]; ++b) {
        if (row(edges.candidates, u)[b] == i) row(edges.back, i)[a] = u * k + b;
      }
    }
  }
  return edges;
}

TEST(PackedOps, MutualFeaturesAreTheirTwin) {
  Draw draw(26);
  for (const std::int64_t tokens : {13, 40}) {
    for (const std::int64_t k : {1, 5, 12, 13}) {
      const Edges edges = random_edges(tokens, k, draw);
      // Wide enough that the lower bound holds for some, with and without a way back for others.
      check(
          "mutual_features " + std::to_string(k) + " of " + std::to_string(tokens),
          [&](const Inputs& in) { return mutual_features(in[0], edges.count, edges.back); },
          [&](const Inputs& in) { return plain::mutual_features(in[0], edges.count, edges.back); },
          {draw.normal({tokens, k}, 6.0)}, draw);
    }
  }
}

TEST(PackedOps, MutualFeaturesSeeBothEndsOfAnEdge) {
  Draw draw(27);
  const std::int64_t tokens = 30, k = 8;
  const Edges edges = random_edges(tokens, k, draw);
  const Tensor logits = draw.normal({tokens, k});
  const Tensor y = mutual_features(logits, edges.count, edges.back).view({-1, 4});
  const std::int64_t* back = edges.back.data_ptr<std::int64_t>();
  std::int64_t mutual = 0;
  for (std::int64_t at = 0; at < tokens * k; ++at) {
    if (back[at] < 0) continue;
    ++mutual;
    EXPECT_TRUE(y[at][1].equal(y[back[at]][0]));
    EXPECT_TRUE(y[at][3].equal(y[back[at]][2]));
  }
  EXPECT_GT(mutual, 0);
}

TEST(PackedOps, TargetLogLikelihoodIsItsTwin) {
  Draw draw(28);
  for (const std::int64_t tokens : {1, 9, 70}) {
    for (const std::int64_t k : {1, 8, 13}) {
      const Tensor count = random_counts(tokens, k, draw), target = draw.normal({tokens, k}).abs();
      check(
          "target_log_likelihood " + std::to_string(k) + " of " + std::to_string(tokens),
          [&](const Inputs& in) { return target_log_likelihood(in[0], target, count).sum; },
          [&](const Inputs& in) { return plain::target_log_likelihood(in[0], target, count).sum; },
          {draw.normal({tokens, k}, 3.0)}, draw);
      const Tensor logits = draw.normal({tokens, k}).requires_grad_();
      const Tensor found = target_log_likelihood(logits, target, count).log_probs;
      EXPECT_FALSE(found.requires_grad());
      EXPECT_TRUE(found.allclose(plain::target_log_likelihood(logits, target, count).log_probs));
      EXPECT_TRUE(found.exp().sum(1).allclose((count > 0).to(at::kFloat)));
    }
  }
}

TEST(PackedOps, EdgeScoresAreTheirTwin) {
  Draw draw(29);
  // One tile, several, and a set that is larger than a tile; odd numbers of features.
  for (const auto& [tokens, k] : {std::pair{1, 1}, {3, 5}, {40, 12}, {30, 13}, {4, 100}}) {
    for (const auto& [layers, heads, width] : {std::tuple{0, 1, 8}, {1, 2, 16}, {2, 1, 24}}) {
      const std::int64_t inputs = width + 5;
      const Tensor count = random_counts(tokens, k, draw);
      const Tensor candidates = random_tokens({tokens, k}, tokens, draw);
      spoil_missing(candidates, count);
      Inputs inputs_and_weights{draw.normal({tokens, k, inputs}),
                                draw.normal({tokens, width}),
                                draw.normal({tokens, width}),
                                draw.normal({width, inputs}, 0.3),
                                draw.normal({width}),
                                draw.normal({width}, 0.3, 1.0),
                                draw.normal({width, width}, 0.3),
                                draw.normal({width}),
                                draw.normal({width})};
      for (int l = 0; l < layers; ++l) {
        inputs_and_weights.push_back(draw.normal({width}, 0.3, 1.0));
        inputs_and_weights.push_back(draw.normal({3 * width, width}, 0.3));
        inputs_and_weights.push_back(draw.normal({width, width}, 0.3));
      }
      const auto with = [&, heads = heads](auto operation) {
        return [&, heads, operation](const Inputs& in) {
          EdgeScorerWeights w{in[3], in[4], {}, in[5], in[6], in[7], in[8], heads};
          for (std::size_t i = 9; i < in.size(); i += 3) {
            w.layers.push_back({in[i], in[i + 1], in[i + 2]});
          }
          return operation(in[0], in[1], in[2], candidates, count, w);
        };
      };
      check("edge_scores " + std::to_string(k) + " of " + std::to_string(tokens) + ", " +
                std::to_string(layers) + " layers",
            with(edge_scores), with(plain::edge_scores), inputs_and_weights, draw);
    }
  }
}

TEST(PackedOps, EdgeScoresNeedNoGradientOfTheFeatures) {
  Draw draw(30);
  const Tensor count = random_counts(20, 6, draw);
  const Tensor candidates = random_tokens({20, 6}, 20, draw);
  const Tensor features = draw.normal({20, 6, 9});
  const auto gradient = [&](bool of_features) {
    Draw again(31);
    const auto leaf = [&](at::IntArrayRef shape) { return again.normal(shape).requires_grad_(); };
    const Tensor own = leaf({20, 8}), nodes = leaf({20, 8});
    const EdgeScorerWeights w{leaf({8, 9}),
                              leaf({8}),
                              {{leaf({8}), leaf({24, 8}), leaf({8, 8})}},
                              leaf({8}),
                              leaf({8, 8}),
                              leaf({8}),
                              leaf({8}),
                              1};
    const Tensor in = features.clone().requires_grad_(of_features);
    return torch::autograd::grad({edge_scores(in, own, nodes, candidates, count, w).sum()},
                                 {nodes})[0];
  };
  EXPECT_TRUE(gradient(false).equal(gradient(true)));
}

}  // namespace
}  // namespace eco::train
