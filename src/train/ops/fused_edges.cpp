// What construction by merging does between a token and its candidates, over packed tokens.

#include "core/kernels/simd.h"
#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

struct Neighbours : torch::autograd::Function<Neighbours> {
  // `in`: qkv, edge_bias, candidates, count, features, weights.
  static kernels::NeighbourAttention arrays(const variable_list& in) {
    return {extent(in[0], 0),
            extent(in[1], 1),
            extent(in[0], 2),
            extent(in[0], 3),
            extent(in[4], 2),
            data(in[0]),
            data(in[1]),
            in[2].data_ptr<std::int64_t>(),
            in[3].data_ptr<std::int32_t>(),
            data(in[4]),
            data(in[5])};
  }
  static variable_list forward(AutogradContext* ctx, const Tensor& qkv, const Tensor& edge_bias,
                               const Tensor& candidates, const Tensor& count,
                               const Tensor& features) {
    const std::int64_t tokens = qkv.size(0), heads = qkv.size(2);
    const auto tall = static_cast<std::int64_t>(simd::padded(extent(edge_bias, 1)));
    const variable_list in{
        qkv.contiguous(),        edge_bias.contiguous(),
        candidates.contiguous(), count,
        features.contiguous(),   at::empty({tokens, heads, tall}, qkv.options())};
    Tensor mixed = at::empty({tokens, heads * qkv.size(3)}, qkv.options());
    Tensor edges = at::empty({tokens, heads, features.size(2)}, qkv.options());
    kernels::neighbour_attention(arrays(in), data(mixed), data(edges));
    ctx->save_for_backward(in);
    return {mixed, edges};
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list in = ctx->get_saved_variables();
    Tensor grad_qkv = at::empty_like(in[0]), grad_bias = at::empty_like(in[1]);
    const Tensor grad_mixed = grads[0].contiguous(), grad_edges = grads[1].contiguous();
    kernels::neighbour_attention_backward(arrays(in), data(grad_mixed), data(grad_edges),
                                          data(grad_qkv), data(grad_bias));
    return {grad_qkv, grad_bias, Tensor(), Tensor(), Tensor()};
  }
};

// count: contiguous.
Tensor log_probs_of(const Tensor& logits, const Tensor& count) {
  const Tensor rows = logits.contiguous();
  Tensor result = at::empty_like(rows);
  kernels::candidate_log_probs(extent(rows, 0), extent(rows, 1), data(rows),
                               count.data_ptr<std::int32_t>(), data(result));
  return result;
}

struct Mutual : torch::autograd::Function<Mutual> {
  // `in`: log_probs, count, back.
  static kernels::MutualEdges arrays(const variable_list& in) {
    return {extent(in[0], 0), extent(in[0], 1), data(in[0]), in[1].data_ptr<std::int32_t>(),
            in[2].data_ptr<std::int64_t>()};
  }
  static Tensor forward(AutogradContext* ctx, const Tensor& logits, const Tensor& count,
                        const Tensor& back) {
    const Tensor members = count.contiguous();
    const variable_list in{log_probs_of(logits, members), members, back.contiguous()};
    Tensor y = at::empty({logits.size(0), logits.size(1), 4}, logits.options());
    kernels::mutual_features(arrays(in), data(y));
    ctx->save_for_backward(in);
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list in = ctx->get_saved_variables();
    const Tensor grad = grads[0].contiguous();
    Tensor grad_logits = at::empty_like(in[0]);
    kernels::mutual_features_backward(arrays(in), data(grad), data(grad_logits));
    return {grad_logits, Tensor(), Tensor()};
  }
};

struct Likelihood : torch::autograd::Function<Likelihood> {
  static variable_list forward(AutogradContext* ctx, const Tensor& logits, const Tensor& target,
                               const Tensor& count) {
    const Tensor members = count.contiguous(), wanted = target.contiguous();
    const Tensor log_probs = log_probs_of(logits, members);
    const Tensor sum = at::scalar_tensor(
        kernels::target_log_likelihood(extent(logits, 0), extent(logits, 1), data(log_probs),
                                       data(wanted), members.data_ptr<std::int32_t>()),
        logits.options());
    ctx->save_for_backward({log_probs, wanted, members});
    ctx->mark_non_differentiable({log_probs});
    return {sum, log_probs};
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor& log_probs = saved[0];
    Tensor grad_logits = at::empty_like(log_probs);
    kernels::target_log_likelihood_backward(
        extent(log_probs, 0), extent(log_probs, 1), data(log_probs), data(saved[1]),
        saved[2].data_ptr<std::int32_t>(), grads[0].item<float>(), data(grad_logits));
    return {grad_logits, Tensor(), Tensor()};
  }
};

}  // namespace

NeighbourMix neighbour_attention(const Tensor& qkv, const Tensor& edge_bias,
                                 const Tensor& candidates, const Tensor& count,
                                 const Tensor& features) {
  const variable_list out = Neighbours::apply(qkv, edge_bias, candidates, count, features);
  return {out[0], out[1]};
}

Tensor mutual_features(const Tensor& logits, const Tensor& count, const Tensor& back) {
  return Mutual::apply(logits, count, back);
}
TargetLikelihood target_log_likelihood(const Tensor& logits, const Tensor& target,
                                       const Tensor& count) {
  const variable_list out = Likelihood::apply(logits, target, count);
  return {out[0], out[1]};
}

}  // namespace eco::train::fused
