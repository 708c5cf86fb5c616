#include "train/ops/ops.h"

#include <atomic>

#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train {

namespace {

std::atomic<Ops> chosen{Ops::fused};

// Kernels take floats and whole vectors of 8 channels.
bool fused_takes(const at::Tensor& x) {
  return chosen == Ops::fused && x.scalar_type() == at::kFloat && x.device().is_cpu() &&
         x.size(-1) % 8 == 0;
}

bool fused_takes_logits(const at::Tensor& logits) {
  return chosen == Ops::fused && logits.scalar_type() == at::kFloat;
}

bool scan_takes(const at::Tensor& v, const at::Tensor& a_log) {
  return fused_takes(v) && a_log.size(1) == static_cast<std::int64_t>(kernels::kState);
}

bool mixer_takes(const at::Tensor& x, const at::Tensor& a_log, const at::Tensor& conv) {
  return scan_takes(x, a_log) && a_log.size(0) % 8 == 0 &&
         conv.size(1) == static_cast<std::int64_t>(kernels::kConv);
}

}  // namespace

void set_ops(Ops ops) {
  chosen = ops;
}

at::Tensor project(const at::Tensor& x, const at::Tensor& weight) {
  const bool fused =
      chosen == Ops::fused && x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat;
  return fused ? fused::project(x, weight) : plain::project(x, weight);
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight) {
  return fused_takes(x) ? fused::rms_norm(x, weight) : plain::rms_norm(x, weight);
}

at::Tensor bias_silu(const at::Tensor& x, const at::Tensor& bias) {
  return fused_takes(x) ? fused::bias_silu(x, bias) : plain::bias_silu(x, bias);
}

at::Tensor permute_rows(const at::Tensor& x, const at::Tensor& order) {
  return fused_takes(x) ? fused::permute_rows(x, order) : plain::permute_rows(x, order);
}

at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& norm, const at::Tensor& up,
                        const at::Tensor& up_bias, const at::Tensor& down,
                        const at::Tensor& down_bias) {
  return fused_takes(x) && up.size(0) % 8 == 0
             ? fused::feed_forward(x, norm, up, up_bias, down, down_bias)
             : plain::feed_forward(x, norm, up, up_bias, down, down_bias);
}

at::Tensor causal_conv_silu(const at::Tensor& u, const at::Tensor& weight, const at::Tensor& bias) {
  const bool fits = weight.size(1) == static_cast<std::int64_t>(kernels::kConv);
  return fused_takes(u) && fits ? fused::causal_conv_silu(u, weight, bias)
                                : plain::causal_conv_silu(u, weight, bias);
}

at::Tensor selective_scan(const at::Tensor& v, const at::Tensor& dt, const at::Tensor& dt_bias,
                          const at::Tensor& a_log, const at::Tensor& b, const at::Tensor& c,
                          const at::Tensor& skip, const at::Tensor& z) {
  return scan_takes(v, a_log) ? fused::selective_scan(v, dt, dt_bias, a_log, b, c, skip, z)
                              : plain::selective_scan(v, dt, dt_bias, a_log, b, c, skip, z);
}

at::Tensor lti_scan(const at::Tensor& v, const at::Tensor& log_dt, const at::Tensor& a_log,
                    const at::Tensor& c, const at::Tensor& skip, const at::Tensor& z) {
  return scan_takes(v, a_log) ? fused::lti_scan(v, log_dt, a_log, c, skip, z)
                              : plain::lti_scan(v, log_dt, a_log, c, skip, z);
}

Sequences Sequences::equal(std::int64_t count, std::int64_t length) {
  Sequences result;
  for (std::int64_t i = 0; i <= count; ++i) result.first.push_back(i * length);
  return result;
}

at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w) {
  return mixer_takes(x, w.a_log, w.conv)
             ? fused::selective_mixer(x, w, Sequences::equal(x.size(0), x.size(1)), {})
             : plain::selective_mixer(x, w);
}

at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w,
                           const Sequences& sequences, const at::Tensor& order) {
  return mixer_takes(x, w.a_log, w.conv) ? fused::selective_mixer(x, w, sequences, order)
                                         : plain::selective_mixer(x, w, sequences, order);
}

at::Tensor lti_mixer(const at::Tensor& x, const LtiWeights& w) {
  return mixer_takes(x, w.a_log, w.conv) ? fused::lti_mixer(x, w) : plain::lti_mixer(x, w);
}

at::Tensor pointer_log_probs(const at::Tensor& q, const at::Tensor& k, const at::Tensor& bias,
                             const PointerMask& mask) {
  return fused_takes(q) ? fused::pointer_log_probs(q, k, bias, mask)
                        : plain::pointer_log_probs(q, k, bias, mask);
}

NeighbourMix neighbour_attention(const at::Tensor& qkv, const at::Tensor& edge_bias,
                                 const at::Tensor& candidates, const at::Tensor& count,
                                 const at::Tensor& features) {
  return fused_takes(qkv) ? fused::neighbour_attention(qkv, edge_bias, candidates, count, features)
                          : plain::neighbour_attention(qkv, edge_bias, candidates, count, features);
}

at::Tensor mutual_features(const at::Tensor& logits, const at::Tensor& count,
                           const at::Tensor& back) {
  return fused_takes_logits(logits) ? fused::mutual_features(logits, count, back)
                                    : plain::mutual_features(logits, count, back);
}

TargetLikelihood target_log_likelihood(const at::Tensor& logits, const at::Tensor& target,
                                       const at::Tensor& count) {
  return fused_takes_logits(logits) ? fused::target_log_likelihood(logits, target, count)
                                    : plain::target_log_likelihood(logits, target, count);
}

at::Tensor edge_scores(const at::Tensor& features, const at::Tensor& own, const at::Tensor& nodes,
                       const at::Tensor& candidates, const at::Tensor& count,
                       const EdgeScorerWeights& w) {
  const bool whole = own.size(1) % (8 * w.heads) == 0;  // vectors in a head
  return fused_takes(own) && whole ? fused::edge_scores(features, own, nodes, candidates, count, w)
                                   : plain::edge_scores(features, own, nodes, candidates, count, w);
}

at::Tensor feasible_nodes(const PointerMask& mask, std::int64_t nodes) {
  const std::int64_t solutions = mask.path.size(0), customers = mask.order.size(1);
  // When each node is visited; the depot keeps 0 and is set below.
  const at::Tensor when =
      at::zeros({solutions, nodes}, at::kInt)
          .scatter(1, mask.order, at::arange(customers, at::kInt).expand({solutions, -1}));
  at::Tensor feasible = when.unsqueeze(1) >= mask.served.unsqueeze(2);
  if (mask.rank.defined()) {
    const at::Tensor rank = mask.rank.index_select(0, mask.instance);
    feasible = feasible.logical_and(rank.unsqueeze(1) < mask.fits.unsqueeze(2));
    feasible.select(2, 0).copy_(mask.at_depot == 0);
  }
  return feasible;
}

}  // namespace eco::train
