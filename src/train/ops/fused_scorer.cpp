// The whole scorer of candidates as one node of the graph. Only its inputs are kept: the kernel
// makes the rest again.

#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

// All weights in one list: feature, bias, hidden_norm, hidden, hidden_bias, score, then norm, qkv,
// out of each layer.
variable_list listed(const EdgeScorerWeights& w) {
  variable_list all{w.feature, w.bias, w.hidden_norm, w.hidden, w.hidden_bias, w.score};
  for (const EdgeScorerWeights::Layer& layer : w.layers) {
    all.insert(all.end(), {layer.norm, layer.qkv, layer.out});
  }
  return all;
}

// The arrays of such a list.
template <class Float>
kernels::ScorerArrays<Float> arrays_of(at::TensorList all) {
  kernels::ScorerArrays<Float> result{data(all[0]), data(all[1]), {},          data(all[2]),
                                      data(all[3]), data(all[4]), data(all[5])};
  for (std::size_t i = 6; i < all.size(); i += 3) {
    result.layers.push_back({data(all[i]), data(all[i + 1]), data(all[i + 2])});
  }
  return result;
}

struct EdgeScores : torch::autograd::Function<EdgeScores> {
  // `in`: features, own, nodes, candidates, count.
  static constexpr std::size_t kInputs = 5;
  static kernels::EdgeScorer scorer(at::TensorList in, at::TensorList weights, std::int64_t heads) {
    return {extent(in[0], 0),
            extent(in[0], 1),
            extent(in[0], 2),
            extent(in[1], 1),
            static_cast<std::size_t>(heads),
            data(in[0]),
            data(in[1]),
            data(in[2]),
            in[3].data_ptr<std::int64_t>(),
            in[4].data_ptr<std::int32_t>(),
            arrays_of<const float>(weights)};
  }
  static Tensor forward(AutogradContext* ctx, const Tensor& features, const Tensor& own,
                        const Tensor& nodes, const Tensor& candidates, const Tensor& count,
                        at::TensorList weights, std::int64_t heads) {
    variable_list saved{features.contiguous(), own.contiguous(), nodes.contiguous(),
                        candidates.contiguous(), count.contiguous()};
    Tensor scores = at::empty(candidates.sizes(), own.options());
    kernels::edge_scores(scorer(saved, weights, heads), data(scores));
    saved.insert(saved.end(), weights.begin(), weights.end());
    ctx->save_for_backward(saved);
    ctx->saved_data["heads"] = heads;
    return scores;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const variable_list weights(saved.begin() + kInputs, saved.end());
    variable_list grad_weights;
    for (const Tensor& weight : weights) grad_weights.push_back(at::zeros_like(weight));
    const Tensor grad = grads[0].contiguous();
    Tensor grad_features, grad_own = at::zeros_like(saved[1]),
                          grad_nodes = at::zeros_like(saved[2]);
    if (ctx->needs_input_grad(0)) grad_features = at::zeros_like(saved[0]);
    kernels::edge_scores_backward(
        scorer(saved, weights, ctx->saved_data["heads"].toInt()),
        {data(grad), grad_features.defined() ? data(grad_features) : nullptr, data(grad_own),
         data(grad_nodes), arrays_of<float>(grad_weights)});
    variable_list all{grad_features, grad_own, grad_nodes, Tensor(), Tensor()};
    all.insert(all.end(), grad_weights.begin(), grad_weights.end());
    all.emplace_back();
    return all;
  }
};

}  // namespace

Tensor edge_scores(const Tensor& features, const Tensor& own, const Tensor& nodes,
                   const Tensor& candidates, const Tensor& count, const EdgeScorerWeights& w) {
  const variable_list weights = listed(w);
  return EdgeScores::apply(features, own, nodes, candidates, count, at::TensorList(weights),
                           w.heads);
}

}  // namespace eco::train::fused
