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

}  // namespace

Tensor pointer_log_probs(const Tensor& q, const Tensor& k, const Tensor& bias,
                         const PointerMask& mask) {
  variable_list parts{mask.instance, mask.path, mask.counted, mask.order, mask.served};
  if (mask.rank.defined()) {
    parts.insert(parts.end(), {mask.at_depot.contiguous(), mask.rank, mask.fits});
  }
  return PointerLogProbs::apply(q, k, bias, parts);
}

}  // namespace eco::train::fused
