// The twins of fused_edges.cpp.

#include <cmath>

#include "train/ops/ops.h"

namespace eco::train::plain {

using at::Tensor;

namespace {

// Far below every score; infinity would make a softmax over nothing undefined.
constexpr double kNever = -1e30;

// [tokens, k]: which candidates do not exist.
Tensor missing_candidates(const Tensor& count, std::int64_t k) {
  return at::arange(k, at::kInt).unsqueeze(0) >= count.unsqueeze(1);
}

// Attention of the candidates of each token among themselves; 0 where there is none.
// qkv [tokens, k, 3, heads, width], missing [tokens, k] -> [tokens, k, heads * width]
Tensor among_candidates(const Tensor& qkv, const Tensor& missing) {
  const std::int64_t tokens = qkv.size(0), k = qkv.size(1);
  const Tensor heads = qkv.permute({2, 0, 3, 1, 4});  // [3, tokens, heads, k, width]
  const double scale = 1.0 / std::sqrt(static_cast<double>(qkv.size(4)));
  const Tensor scores = (at::matmul(heads[0], heads[1].transpose(2, 3)) * scale)
                            .masked_fill(missing.view({tokens, 1, 1, k}), kNever);
  const Tensor mixed = at::matmul(at::softmax(scores, 3), heads[2]);
  return mixed.permute({0, 2, 1, 3})
      .reshape({tokens, k, -1})
      .masked_fill(missing.unsqueeze(2), 0.0);
}

Tensor candidate_log_softmax(const Tensor& logits, const Tensor& missing) {
  return at::log_softmax(logits.masked_fill(missing, kNever), 1);
}

}  // namespace

NeighbourMix neighbour_attention(const Tensor& qkv, const Tensor& edge_bias,
                                 const Tensor& candidates, const Tensor& count,
                                 const Tensor& features) {
  const std::int64_t tokens = qkv.size(0), k = candidates.size(1);
  const Tensor missing = missing_candidates(count, k);
  const Tensor rows = qkv.index_select(0, candidates.masked_fill(missing, 0).view(-1))
                          .view({tokens, k, 3, qkv.size(2), qkv.size(3)});
  const Tensor dots = (qkv.select(1, 0).unsqueeze(1) * rows.select(2, 1)).sum(3);
  const Tensor scores = dots / std::sqrt(static_cast<double>(qkv.size(3))) + edge_bias;
  const Tensor weights = at::softmax(scores.masked_fill(missing.unsqueeze(2), kNever), 1)
                             .masked_fill(missing.unsqueeze(2), 0.0);  // [tokens, k, heads]
  const Tensor real = features.masked_fill(missing.unsqueeze(2), 0.0);
  return {(weights.unsqueeze(3) * rows.select(2, 2)).sum(1).view({tokens, -1}),
          at::matmul(weights.transpose(1, 2), real.to(weights.scalar_type()))};
}

Tensor mutual_features(const Tensor& logits, const Tensor& count, const Tensor& back) {
  const Tensor missing = missing_candidates(count, logits.size(1)), alone = back < 0;
  const Tensor own = candidate_log_softmax(logits, missing).clamp_min(-10);
  const Tensor other = own.view(-1)
                           .index_select(0, back.masked_fill(alone, 0).view(-1))
                           .view_as(own)
                           .masked_fill(alone, -10);
  return at::stack({0.2 * own, 0.2 * other, own.exp(), other.exp().masked_fill(alone, 0)}, 2)
      .masked_fill(missing.unsqueeze(2), 0);
}

TargetLikelihood target_log_likelihood(const Tensor& logits, const Tensor& target,
                                       const Tensor& count) {
  const Tensor missing = missing_candidates(count, logits.size(1));
  const Tensor log_probs = candidate_log_softmax(logits, missing);
  return {(log_probs * target).masked_fill(missing, 0).sum(),
          log_probs.detach().masked_fill(missing, kNever)};
}

Tensor edge_scores(const Tensor& features, const Tensor& own, const Tensor& nodes,
                   const Tensor& candidates, const Tensor& count, const EdgeScorerWeights& w) {
  const std::int64_t tokens = own.size(0), k = candidates.size(1), width = own.size(1);
  const Tensor missing = missing_candidates(count, k);
  const Tensor there =
      nodes.index_select(0, candidates.masked_fill(missing, 0).flatten()).view({tokens, k, width});
  Tensor x = at::relu(plain::project(features, w.feature) + w.bias + own.unsqueeze(1) + there);
  for (const EdgeScorerWeights::Layer& layer : w.layers) {
    const Tensor qkv = plain::project(plain::rms_norm(x, layer.norm), layer.qkv)
                           .view({tokens, k, 3, w.heads, width / w.heads});
    x = x + plain::project(among_candidates(qkv, missing), layer.out);
  }
  const Tensor hidden =
      at::relu(plain::project(plain::rms_norm(x, w.hidden_norm), w.hidden) + w.hidden_bias);
  return at::matmul(hidden, w.score).masked_fill(missing, 0);
}

}  // namespace eco::train::plain
