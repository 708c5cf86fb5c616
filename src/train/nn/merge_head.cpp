// The network of a construction by merging (docs/model.md): tokens to logits of their candidates.

#include "train/nn/policy.h"
#include "train/nn/scope.h"
#include "train/nn/stack.h"
#include "train/ops/ops.h"

namespace eco::train {

namespace {

using at::Tensor;

// relu(x w^T + b)
Tensor hidden_layer(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return at::relu(project(x, weight) + bias);
}

// What the candidates of each token say to it, [tokens, dim].
Tensor attend_candidates(const ModelConfig& config, const Scope& p, const Tensor& x,
                         const MergeBatch& batch, const Tensor& edges) {
  const auto heads = static_cast<std::int64_t>(config.heads);
  const std::int64_t tokens = x.size(0), width = x.size(1) / heads, inputs = edges.size(2);
  const Tensor qkv = project(rms_norm(x, p["near_norm.weight"]), p["near_qkv.weight"]);
  const NeighbourMix mix = neighbour_attention(qkv.view({tokens, 3, heads, width}),
                                               project(edges, p["near_bias.weight"]),
                                               batch.candidates, batch.count, edges);
  // Each head has its own rows of near_edge.
  const Tensor edge_weight = p["near_edge.weight"].view({heads, width, inputs});
  const Tensor seen = at::matmul(mix.edges.transpose(0, 1), edge_weight.transpose(1, 2))
                          .transpose(0, 1)
                          .reshape({tokens, heads * width});
  return project(at::relu(mix.mixed + seen), p["near_out.weight"]);
}

// x after its norm, [tokens, dim] -> [tokens, dim], within each state; the order means nothing.
Tensor attend_states(const Policy& policy, const std::string& layer, const Tensor& x,
                     const Sequences& states) {
  std::vector<Tensor> mixed;
  for (std::size_t i = 0; i + 1 < states.first.size(); ++i) {
    const Tensor state = x.slice(0, states.first[i], states.first[i + 1]).unsqueeze(0);
    mixed.push_back(self_attention(policy, layer, state).squeeze(0));
  }
  return at::cat(mixed);
}

Tensor encode_states(const Policy& policy, const MergeBatch& batch, const Tensor& features,
                     const Tensor& edges) {
  const ModelConfig& config = policy.config();
  Tensor x =
      project(features, policy["input.weight"]) + policy["input.bias"] +
      project(hidden_layer(features, policy["input_hidden.weight"], policy["input_hidden.bias"]),
              policy["input_out.weight"]);
  const Tensor orders[4] = {Tensor(), batch.backward, batch.hilbert, batch.hilbert_back};
  for (std::size_t layer = 0; layer < config.encoder_layers; ++layer) {
    const std::string name = "encoder." + std::to_string(layer) + ".";
    const Scope p(policy, name);
    x = x +
        project(permute_rows(rms_norm(x, p["link_norm.weight"]), batch.other), p["link.weight"]);
    const Tensor n = rms_norm(x, p["norm.weight"]);
    x = x + (config.backbone == Backbone::transformer
                 ? attend_states(policy, name, n, batch.sequences)
                 : selective_mixer(n, selective_weights(p), batch.sequences, orders[layer % 4]));
    x = x + attend_candidates(config, p, x, batch, edges);
  }
  return rms_norm(x, policy["encoder.norm.weight"]);
}

// [tokens, k]
Tensor score_candidates(const ModelConfig& config, const Scope& p, const Tensor& h,
                        const MergeBatch& batch, const Tensor& edges) {
  EdgeScorerWeights w;
  w.feature = p["feature.weight"];
  w.bias = p["feature.bias"];
  for (std::size_t i = 0; i < config.scorer_layers; ++i) {
    const std::string layer = std::to_string(i) + ".";
    w.layers.push_back(
        {p[layer + "norm.weight"], p[layer + "qkv.weight"], p[layer + "attn_out.weight"]});
  }
  w.hidden_norm = p["norm.weight"];
  w.hidden = p["hidden.weight"];
  w.hidden_bias = p["hidden.bias"];
  w.score = p["score.weight"].view({-1});
  w.heads = static_cast<std::int64_t>(config.scorer_heads);
  return edge_scores(edges, project(h, p["self.weight"]), project(h, p["node.weight"]),
                     batch.candidates, batch.count, w);
}

}  // namespace

std::vector<Tensor> Policy::logits(const MergeBatch& batch) const {
  const at::ScalarType type = flat_.scalar_type();
  Tensor edges = batch.edge_features.to(type);
  const Tensor h = encode_states(*this, batch, batch.features.to(type), edges);
  std::vector<Tensor> passes;
  for (std::size_t pass = 0; pass < config_.passes; ++pass) {
    const Scope p(*this, "scorer." + std::to_string(pass) + ".");
    Tensor logits = score_candidates(config_, p, h, batch, edges);
    if (pass > 0) logits = logits + passes.back();
    passes.push_back(logits);
    if (pass + 1 < config_.passes) {
      edges = at::cat({edges, mutual_features(logits, batch.count, batch.back)}, 2);
    }
  }
  return passes;
}

}  // namespace eco::train
