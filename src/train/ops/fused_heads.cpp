#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

std::int64_t* longs(const Tensor& tensor) {
  return tensor.data_ptr<std::int64_t>();
}
std::int32_t* ints(const Tensor& tensor) {
  return tensor.data_ptr<std::int32_t>();
}

struct PointerLogProbs : torch::autograd::Function<PointerLogProbs> {
  // `in`: q, k, bias, instance, path, counted, order, served and, for the CVRP, at_depot, rank,
  // fits.
  static kernels::Pointer solution(const variable_list& in, std::size_t i) {
    const Tensor &q = in[0], &k = in[1], &path = in[4], &order = in[6];
    const std::size_t steps = extent(path, 1), nodes = extent(k, 1), dim = extent(k, 2);
    const auto owner = static_cast<std::size_t>(longs(in[3])[i]);
    kernels::Pointer result{steps,
                            nodes,
                            extent(order, 1),
                            dim,
                            data(q) + i * steps * dim,
                            data(k) + owner * nodes * dim,
                            data(in[2]) + owner * nodes,
                            longs(path) + i * steps,
                            data(in[5]) + i * steps,
                            longs(order) + i * extent(order, 1),
                            ints(in[7]) + i * steps,
                            nullptr,
                            nullptr,
                            nullptr};
    if (in.size() > 8) {
      result.at_depot = data(in[8]) + i * steps;
      result.rank = ints(in[9]) + owner * nodes;
      result.fits = ints(in[10]) + i * steps;
    }
    return result;
  }
  static Tensor forward(AutogradContext* ctx, const Tensor& q, const Tensor& k, const Tensor& bias,
                        const variable_list& mask) {
    variable_list in{q.contiguous(), k.contiguous(), bias.contiguous()};
    in.insert(in.end(), mask.begin(), mask.end());
    Tensor log_probs = at::empty({q.size(0), q.size(1)}, q.options());
    Tensor log_sums = at::empty_like(log_probs);
    const std::size_t steps = extent(q, 1);
    for (std::size_t i = 0; i < extent(q, 0); ++i) {
      kernels::pointer_log_probs(solution(in, i), data(log_probs) + i * steps,
                                 data(log_sums) + i * steps);
    }
    in.push_back(log_sums);
    ctx->save_for_backward(in);
    return log_probs;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    variable_list in = ctx->get_saved_variables();
    const Tensor log_sums = in.back(), grad = grads[0].contiguous();
    in.pop_back();
    const Tensor &q = in[0], &k = in[1];
    Tensor grad_q = at::empty_like(q), grad_k = at::zeros_like(k),
           grad_bias = at::zeros_like(in[2]);
    const std::size_t steps = extent(q, 1), dim = extent(q, 2), nodes = extent(k, 1);
    for (std::size_t i = 0; i < extent(q, 0); ++i) {
      const auto owner = static_cast<std::size_t>(longs(in[3])[i]);
      kernels::pointer_log_probs_backward(solution(in, i), data(log_sums) + i * steps,
                                          data(grad) + i * steps, data(grad_q) + i * steps * dim,
                                          data(grad_k) + owner * nodes * dim,
                                          data(grad_bias) + owner * nodes);
    }
    return {grad_q, grad_k, grad_bias, Tensor()};
  }
};

kernels::CandidateSets sets_of(const Tensor& candidates, std::size_t segment) {
  const std::size_t steps = extent(candidates, 1), k = extent(candidates, 2);
  return {steps, k, longs(candidates) + segment * steps * k};
}

struct CandidateInput : torch::autograd::Function<CandidateInput> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& bias,
                        const Tensor& states, const Tensor& nodes, const Tensor& candidates) {
    const Tensor x = input.contiguous(), s = states.contiguous(), n = nodes.contiguous();
    const std::size_t width = extent(x, 3);
    Tensor y = at::empty_like(x);
    for (std::size_t i = 0; i < extent(x, 0); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      kernels::candidate_input(sets_of(candidates, i), width, data(x) + at * x.stride(0),
                               data(bias), data(s) + at * s.stride(0), data(n) + at * n.stride(0),
                               data(y) + at * y.stride(0));
    }
    ctx->save_for_backward({y, candidates, bias});
    ctx->saved_data["tokens"] = nodes.size(1);
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &y = saved[0], &candidates = saved[1], grad = grads[0].contiguous();
    const std::int64_t tokens = ctx->saved_data["tokens"].toInt(), width = y.size(3);
    Tensor grad_x = at::empty_like(y), grad_bias = at::zeros_like(saved[2]);
    Tensor grad_states = at::empty({y.size(0), y.size(1), width}, y.options());
    Tensor grad_nodes = at::zeros({y.size(0), tokens, width}, y.options());
    for (std::int64_t i = 0; i < y.size(0); ++i) {
      kernels::candidate_input_backward(
          sets_of(candidates, static_cast<std::size_t>(i)), static_cast<std::size_t>(width),
          data(y) + i * y.stride(0), data(grad) + i * y.stride(0), data(grad_x) + i * y.stride(0),
          data(grad_bias), data(grad_states) + i * grad_states.stride(0),
          data(grad_nodes) + i * grad_nodes.stride(0));
    }
    return {grad_x, grad_bias, grad_states, grad_nodes, Tensor()};
  }
};

struct CandidateDots : torch::autograd::Function<CandidateDots> {
  static Tensor forward(AutogradContext* ctx, const Tensor& queries, const Tensor& keys,
                        const Tensor& node_bias, const Tensor& candidates) {
    const Tensor q = queries.contiguous(), k = keys.contiguous(), bias = node_bias.contiguous();
    Tensor y = at::empty(candidates.sizes(), q.options());
    for (std::int64_t i = 0; i < q.size(0); ++i) {
      kernels::candidate_dots(sets_of(candidates, static_cast<std::size_t>(i)), extent(q, 2),
                              data(q) + i * q.stride(0), data(k) + i * k.stride(0),
                              data(bias) + i * bias.stride(0), data(y) + i * y.stride(0));
    }
    ctx->save_for_backward({q, k, candidates});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &q = saved[0], &k = saved[1], &candidates = saved[2];
    const Tensor grad = grads[0].contiguous();
    Tensor grad_q = at::empty_like(q), grad_k = at::zeros_like(k);
    Tensor grad_bias = at::zeros({k.size(0), k.size(1)}, k.options());
    for (std::int64_t i = 0; i < q.size(0); ++i) {
      kernels::candidate_dots_backward(
          sets_of(candidates, static_cast<std::size_t>(i)), extent(q, 2), data(q) + i * q.stride(0),
          data(k) + i * k.stride(0), data(grad) + i * grad.stride(0),
          data(grad_q) + i * q.stride(0), data(grad_k) + i * k.stride(0),
          data(grad_bias) + i * grad_bias.stride(0));
    }
    return {grad_q, grad_k, grad_bias, Tensor()};
  }
};

struct SetAttention : torch::autograd::Function<SetAttention> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& count) {
    const Tensor qkv = input.contiguous();
    Tensor y = at::empty({qkv.size(0), qkv.size(1), qkv.size(3) * qkv.size(4)}, qkv.options());
    kernels::set_attention(extent(qkv, 0), extent(qkv, 1), extent(qkv, 3), extent(qkv, 4),
                           data(qkv), ints(count), data(y));
    ctx->save_for_backward({qkv, count});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &qkv = saved[0], grad = grads[0].contiguous();
    Tensor grad_qkv = at::empty_like(qkv);
    kernels::set_attention_backward(extent(qkv, 0), extent(qkv, 1), extent(qkv, 3), extent(qkv, 4),
                                    data(qkv), ints(saved[1]), data(grad), data(grad_qkv));
    return {grad_qkv, Tensor()};
  }
};

}  // namespace

Tensor pointer_log_probs(const Tensor& q, const Tensor& k, const Tensor& bias,
                         const PointerMask& mask) {
  variable_list parts{mask.instance, mask.path, mask.counted, mask.order, mask.served};
  if (mask.rank.defined()) {
    parts.insert(parts.end(), {mask.at_depot.contiguous(), mask.rank, mask.fits});
  }
  return PointerLogProbs::apply(q, k, bias, parts);
}
Tensor candidate_input(const Tensor& x, const Tensor& bias, const Tensor& states,
                       const Tensor& nodes, const Tensor& candidates) {
  return CandidateInput::apply(x, bias, states, nodes, candidates);
}
Tensor candidate_dots(const Tensor& q, const Tensor& k, const Tensor& bias,
                      const Tensor& candidates) {
  return CandidateDots::apply(q, k, bias, candidates);
}
Tensor set_attention(const Tensor& qkv, const Tensor& count) {
  return SetAttention::apply(qkv, count);
}

}  // namespace eco::train::fused
