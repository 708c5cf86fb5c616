#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

// One node of the graph for what is four in tensor operations (reshape, transpose, product, view),
// and as many again on the way back: with one short sequence a part those cost as much as the
// product.
struct Project : torch::autograd::Function<Project> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& weight) {
    const Tensor x = as_rows(input);
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    Tensor y = at::empty(shape, x.options());
    kernels::project(rows_of(x), extent(weight, 1), extent(weight, 0), data(x), stride(x),
                     data(weight), /*add=*/false, data(y));
    ctx->save_for_backward({x, weight});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1], grad = grads[0].contiguous();
    const std::size_t rows = rows_of(x), inputs = extent(weight, 1), outputs = extent(weight, 0);
    Tensor grad_x, grad_weight;
    if (ctx->needs_input_grad(0)) {
      grad_x = at::empty(x.sizes(), x.options());
      kernels::project_backward(rows, inputs, outputs, data(weight), data(grad), /*add=*/false,
                                data(grad_x), inputs);
    }
    if (ctx->needs_input_grad(1)) {
      grad_weight = at::empty_like(weight);
      kernels::project_weight_backward(rows, inputs, outputs, data(x), stride(x), data(grad),
                                       /*add=*/false, data(grad_weight));
    }
    return {grad_x, grad_weight};
  }
};

struct FeedForward : torch::autograd::Function<FeedForward> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& norm,
                        const Tensor& up, const Tensor& up_bias, const Tensor& down,
                        const Tensor& down_bias) {
    const Tensor x = input.contiguous();
    const std::size_t rows = rows_of(x), dim = extent(up, 1), width = extent(up, 0);
    const auto count = static_cast<std::int64_t>(rows);
    const Tensor normed = at::empty({count, up.size(1)}, x.options());
    const Tensor scale = at::empty({count}, x.options());
    const Tensor wide = at::empty({count, up.size(0)}, x.options()), hidden = at::empty_like(wide);
    Tensor y = at::empty_like(x);
    kernels::rms_norm(rows, dim, data(x), data(norm), data(normed), data(scale));
    kernels::project(rows, dim, width, data(normed), dim, data(up), /*add=*/false, data(wide));
    kernels::bias_silu(rows, width, data(wide), data(up_bias), data(hidden));
    kernels::add_bias(rows, dim, data(x), data(down_bias), data(y));
    kernels::project(rows, width, dim, data(hidden), width, data(down), /*add=*/true, data(y));
    ctx->save_for_backward({x, norm, up, up_bias, down, normed, scale, wide, hidden});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &norm = saved[1], &up = saved[2], &up_bias = saved[3];
    const Tensor &down = saved[4], &normed = saved[5], &wide = saved[7], &hidden = saved[8];
    const Tensor grad = grads[0].contiguous();
    const std::size_t rows = rows_of(x), dim = extent(up, 1), width = extent(up, 0);
    Tensor grad_norm = at::zeros_like(norm), grad_up = at::empty_like(up);
    Tensor grad_up_bias = at::zeros_like(up_bias), grad_down = at::empty_like(down);
    Tensor grad_down_bias = at::zeros_like(norm), grad_x = at::empty_like(x);
    const Tensor grad_wide = at::empty_like(wide), grad_normed = at::empty_like(normed);
    kernels::add_rows(rows, dim, data(grad), data(grad_down_bias));
    kernels::project_weight_backward(rows, width, dim, data(hidden), width, data(grad),
                                     /*add=*/false, data(grad_down));
    kernels::project_backward(rows, width, dim, data(down), data(grad), /*add=*/false,
                              data(grad_wide), width);
    kernels::bias_silu_backward(rows, width, data(wide), data(up_bias), data(grad_wide),
                                data(grad_wide), data(grad_up_bias));
    kernels::project_weight_backward(rows, dim, width, data(normed), dim, data(grad_wide),
                                     /*add=*/false, data(grad_up));
    kernels::project_backward(rows, dim, width, data(up), data(grad_wide), /*add=*/false,
                              data(grad_normed), dim);
    kernels::rms_norm_backward(rows, dim, data(x), data(norm), data(saved[6]), data(grad_normed),
                               data(grad_x), data(grad_norm));
    kernels::add_rows(1, rows * dim, data(grad), data(grad_x));  // the residual's own share
    return {grad_x, grad_norm, grad_up, grad_up_bias, grad_down, grad_down_bias};
  }
};

}  // namespace

Tensor project(const Tensor& x, const Tensor& weight) {
  return Project::apply(x, weight);
}
Tensor feed_forward(const Tensor& x, const Tensor& norm, const Tensor& up, const Tensor& up_bias,
                    const Tensor& down, const Tensor& down_bias) {
  return FeedForward::apply(x, norm, up, up_bias, down, down_bias);
}

}  // namespace eco::train::fused
