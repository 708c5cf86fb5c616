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

}  // namespace

NeighbourMix neighbour_attention(const Tensor& qkv, const Tensor& edge_bias,
                                 const Tensor& candidates, const Tensor& count,
                                 const Tensor& features) {
  const variable_list out = Neighbours::apply(qkv, edge_bias, candidates, count, features);
  return {out[0], out[1]};
}

}  // namespace eco::train::fused
