#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

struct RmsNorm : torch::autograd::Function<RmsNorm> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& weight) {
    const Tensor x = input.contiguous();
    const std::size_t dim = extent(x, -1), rows = rows_of(x);
    Tensor y = at::empty_like(x);
    Tensor scale = at::empty({static_cast<std::int64_t>(rows)}, x.options());
    kernels::rms_norm(rows, dim, data(x), data(weight), data(y), data(scale));
    ctx->save_for_backward({x, weight, scale});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1], grad = grads[0].contiguous();
    const std::size_t dim = extent(x, -1), rows = rows_of(x);
    Tensor grad_x = at::empty_like(x), grad_weight = at::zeros_like(weight);
    kernels::rms_norm_backward(rows, dim, data(x), data(weight), data(saved[2]), data(grad),
                               data(grad_x), data(grad_weight));
    return {grad_x, grad_weight};
  }
};

struct BiasSilu : torch::autograd::Function<BiasSilu> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& bias) {
    const Tensor x = input.contiguous();
    const std::size_t channels = extent(x, -1);
    Tensor y = at::empty_like(x);
    kernels::bias_silu(rows_of(x), channels, data(x), data(bias), data(y));
    ctx->save_for_backward({x, bias});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &bias = saved[1], grad = grads[0].contiguous();
    const std::size_t channels = extent(x, -1);
    Tensor grad_x = at::empty_like(x), grad_bias = at::zeros_like(bias);
    kernels::bias_silu_backward(rows_of(x), channels, data(x), data(bias), data(grad), data(grad_x),
                                data(grad_bias));
    return {grad_x, grad_bias};
  }
};

struct PermuteRows : torch::autograd::Function<PermuteRows> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& order) {
    const Tensor x = input.contiguous();
    Tensor y = at::empty_like(x);
    kernels::gather_rows(extent(x, 0), extent(x, 1), data(x), order.data_ptr<std::int64_t>(),
                         data(y));
    ctx->save_for_backward({order});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const Tensor order = ctx->get_saved_variables()[0], grad = grads[0].contiguous();
    Tensor grad_x = at::empty_like(grad);
    kernels::scatter_rows(extent(grad, 0), extent(grad, 1), data(grad),
                          order.data_ptr<std::int64_t>(), data(grad_x));
    return {grad_x, Tensor()};
  }
};

}  // namespace

Tensor rms_norm(const Tensor& x, const Tensor& weight) {
  return RmsNorm::apply(x, weight);
}
Tensor bias_silu(const Tensor& x, const Tensor& bias) {
  return BiasSilu::apply(x, bias);
}
Tensor permute_rows(const Tensor& x, const Tensor& order) {
  return PermuteRows::apply(x, order);
}

}  // namespace eco::train::fused
