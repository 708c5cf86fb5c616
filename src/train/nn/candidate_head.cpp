// The candidate scorer of preset `best` (docs/model.md, section 3).

#include <limits>

#include "train/nn/policy.h"
#include "train/nn/stack.h"
#include "train/ops/ops.h"

namespace eco::train {

namespace {

using at::Tensor;

// c(t, j): one number an action. features [segments, steps, k, inputs], states [segments, steps,
// dim], nodes [segments, tokens, dim], candidates [segments, steps, k] -> [sets, k, actions] with
// sets = segments * steps.
Tensor candidate_scores(const Policy& p, const Tensor& features, const Tensor& states,
                        const Tensor& nodes, const Tensor& candidates, const Tensor& count) {
  const ModelConfig& config = p.config();
  const std::int64_t sets = count.size(0), k = candidates.size(2);
  const auto width = static_cast<std::int64_t>(config.candidate_dim);
  const auto heads = static_cast<std::int64_t>(config.candidate_heads);
  Tensor x = candidate_input(project(features, p["cand_feature.weight"]), p["cand_feature.bias"],
                             project(states, p["cand_state.weight"]),
                             project(nodes, p["cand_node.weight"]), candidates)
                 .view({sets, k, width});
  for (std::size_t layer = 0; layer < config.candidate_layers; ++layer) {
    const std::string prefix = "cand." + std::to_string(layer) + ".";
    const Tensor qkv = project(rms_norm(x, p[prefix + "norm.weight"]), p[prefix + "qkv.weight"]);
    const Tensor mixed = set_attention(qkv.view({sets, k, 3, heads, width / heads}), count);
    x = x + project(mixed, p[prefix + "attn_out.weight"]);
  }
  const Tensor hidden = at::relu(
      project(rms_norm(x, p["cand_norm.weight"]), p["cand_hidden.weight"]) + p["cand_hidden.bias"]);
  return project(hidden, p["cand_score.weight"]) + p["cand_score.bias"];
}

}  // namespace

Tensor Policy::log_probabilities(const SegmentBatch& batch) const {
  const Policy& p = *this;
  const at::ScalarType type = flat_.scalar_type();
  const std::int64_t segments = batch.segments(), steps = batch.steps();
  const std::int64_t k = batch.candidates.size(2), sets = segments * steps;

  const Tensor features = batch.features.to(type);
  const Tensor input =
      project(features, p["input.weight"]) + p["input.bias"] +
      project(at::relu(project(features, p["input_hidden.weight"]) + p["input_hidden.bias"]),
              p["input_out.weight"]);
  const Tensor nodes = encode(p, input, batch.hilbert);  // [segments, tokens, dim]

  const Tensor home =
      project(gather_rows(nodes, batch.destination.unsqueeze(1)), p["destination.weight"]);
  const Tensor arrived = gather_rows(nodes, batch.current) + nodes.mean(1, /*keepdim=*/true) +
                         home + project(batch.dynamic.to(type), p["dynamic.weight"]);
  const Tensor first =
      at::cat({p["start"].view({1, 1, -1}), at::zeros({1, steps - 1, nodes.size(2)}, type)}, 1);
  const Tensor states = decode(p, arrived + first);  // [segments, steps, dim]

  const Tensor scores = candidate_scores(p, batch.candidate_features.to(type), states, nodes,
                                         batch.candidates, batch.count.view(-1));
  const Tensor pull =
      at::softplus(at::matmul(states, p["distance.weight"]) + p["distance.bias"]).unsqueeze(2);
  const Tensor base =
      candidate_dots(project(states, p["query.weight"]), project(nodes, p["key.weight"]),
                     at::matmul(nodes, p["node_bias.weight"]), batch.candidates) -
      pull * batch.distances.to(type);
  const Tensor logits = (base.view({sets, k, 1}) + scores).view({sets, -1});
  const Tensor masked = logits.masked_fill(batch.allowed.view({sets, -1}).logical_not(),
                                           -std::numeric_limits<double>::infinity());

  const Tensor label = batch.label.view({sets, 1});
  const Tensor chosen = at::log_softmax(masked, 1).gather(1, label.clamp_min(0));
  return at::where(label >= 0, chosen, at::zeros_like(chosen)).view({segments, steps});
}

}  // namespace eco::train
