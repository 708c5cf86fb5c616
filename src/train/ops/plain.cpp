#include <cmath>
#include <limits>
#include <vector>

#include "train/ops/ops.h"

namespace eco::train::plain {

at::Tensor project(const at::Tensor& x, const at::Tensor& weight) {
  if (x.dim() == 2) return at::mm(x, weight.t());
  auto shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return at::mm(x.reshape({-1, x.size(-1)}), weight.t()).view(shape);
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight) {
  return x * (x.square().mean(-1, /*keepdim=*/true) + 1e-5).rsqrt() * weight;
}

at::Tensor bias_silu(const at::Tensor& x, const at::Tensor& bias) {
  return at::silu(x + bias);
}

at::Tensor permute_rows(const at::Tensor& x, const at::Tensor& order) {
  return x.index_select(0, order);
}

at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& norm, const at::Tensor& up,
                        const at::Tensor& up_bias, const at::Tensor& down,
                        const at::Tensor& down_bias) {
  const at::Tensor hidden = bias_silu(project(rms_norm(x, norm), up), up_bias);
  return x + (project(hidden, down) + down_bias);
}

at::Tensor causal_conv_silu(const at::Tensor& u, const at::Tensor& weight, const at::Tensor& bias) {
  const std::int64_t width = weight.size(1), length = u.size(1);
  const at::Tensor padded = at::constant_pad_nd(u, {0, 0, width - 1, 0});
  at::Tensor sum = bias;
  for (std::int64_t k = 0; k < width; ++k) {
    sum = sum + padded.narrow(1, k, length) * weight.select(1, k);
  }
  return at::silu(sum);
}

at::Tensor selective_scan(const at::Tensor& v, const at::Tensor& dt, const at::Tensor& dt_bias,
                          const at::Tensor& a_log, const at::Tensor& b, const at::Tensor& c,
                          const at::Tensor& skip, const at::Tensor& z) {
  const at::Tensor a = -a_log.exp();
  const at::Tensor d = at::softplus(dt + dt_bias);
  at::Tensor h = at::zeros({v.size(0), v.size(2), a.size(1)}, v.options());
  std::vector<at::Tensor> y;
  for (std::int64_t t = 0; t < v.size(1); ++t) {
    const at::Tensor step = d.select(1, t).unsqueeze(2);  // [batch, channels, 1]
    h = (step * a).exp() * h + step * b.select(1, t).unsqueeze(1) * v.select(1, t).unsqueeze(2);
    y.push_back(at::matmul(h, c.select(1, t).unsqueeze(2)).squeeze(2));
  }
  return (at::stack(y, 1) + skip * v) * at::silu(z);
}

at::Tensor lti_scan(const at::Tensor& v, const at::Tensor& log_dt, const at::Tensor& a_log,
                    const at::Tensor& c, const at::Tensor& skip, const at::Tensor& z) {
  const at::Tensor minus_a = a_log.exp();
  const at::Tensor a = (-log_dt.exp().unsqueeze(1) * minus_a).exp();
  const at::Tensor b = (1 - a) / minus_a;
  at::Tensor h = at::zeros({v.size(0), v.size(2), a.size(1)}, v.options());
  std::vector<at::Tensor> y;
  for (std::int64_t t = 0; t < v.size(1); ++t) {
    h = a * h + b * v.select(1, t).unsqueeze(2);
    y.push_back((h * c).sum(2));
  }
  return (at::stack(y, 1) + skip * v) * at::silu(z);
}

at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w) {
  const std::int64_t state = w.a_log.size(1), rank = w.dt_weight.size(1);
  const std::vector<at::Tensor> halves = project(x, w.in).chunk(2, 2);
  const at::Tensor v = causal_conv_silu(halves[0], w.conv, w.conv_bias);
  const std::vector<at::Tensor> low = project(v, w.low).split_with_sizes({rank, state, state}, 2);
  const at::Tensor dt = project(low[0], w.dt_weight);
  return project(selective_scan(v, dt, w.dt_bias, w.a_log, low[1], low[2], w.skip, halves[1]),
                 w.out);
}

at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w,
                           const Sequences& sequences, const at::Tensor& order) {
  const at::Tensor read = order.defined() ? x.index_select(0, order) : x;
  std::vector<at::Tensor> mixed;
  for (std::size_t i = 0; i + 1 < sequences.first.size(); ++i) {
    const std::int64_t first = sequences.first[i], length = sequences.first[i + 1] - first;
    if (length == 0) continue;
    mixed.push_back(
        plain::selective_mixer(read.narrow(0, first, length).unsqueeze(0), w).squeeze(0));
  }
  const at::Tensor result = at::cat(mixed);
  return order.defined() ? at::empty_like(result).index_copy(0, order, result) : result;
}

at::Tensor lti_mixer(const at::Tensor& x, const LtiWeights& w) {
  const std::vector<at::Tensor> halves = project(x, w.in).chunk(2, 2);
  const at::Tensor v = causal_conv_silu(halves[0], w.conv, w.conv_bias);
  return project(lti_scan(v, w.log_dt, w.a_log, w.c, w.skip, halves[1]), w.out);
}

at::Tensor pointer_log_probs(const at::Tensor& q, const at::Tensor& k, const at::Tensor& bias,
                             const PointerMask& mask) {
  const at::Tensor keys = k.index_select(0, mask.instance);
  const at::Tensor logits =
      at::matmul(q, keys.transpose(1, 2)) / std::sqrt(static_cast<double>(q.size(2))) +
      bias.index_select(0, mask.instance).unsqueeze(1);
  const at::Tensor masked = logits.masked_fill(feasible_nodes(mask, k.size(1)).logical_not(),
                                               -std::numeric_limits<double>::infinity());
  const at::Tensor chosen = at::log_softmax(masked, 2).gather(2, mask.path.unsqueeze(2)).squeeze(2);
  // Padding has infinite or undefined values, which a product with 0 would keep.
  return at::where(mask.counted != 0, chosen, at::zeros_like(chosen));
}

}  // namespace eco::train::plain
