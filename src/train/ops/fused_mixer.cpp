// A whole mixer as one node of the graph. The halves of the first product and the parts of the low
// one are read, and their gradients written, where they lie: nothing is split or put together. All
// sequences are rows of the same products.

#include <cassert>

#include "train/ops/fused_scan.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

std::int64_t row_count(const Tensor& x) {
  return static_cast<std::int64_t>(rows_of(x));
}

// x [..., dim] as rows, and with an order [rows] row order[i] as the i-th.
Tensor in_order(const Tensor& x, const Tensor& order) {
  const Tensor rows = x.contiguous();
  if (!order.defined()) return rows;
  Tensor result = at::empty({row_count(x), x.size(-1)}, x.options());
  kernels::gather_rows(rows_of(x), extent(x, -1), data(rows), order.data_ptr<std::int64_t>(),
                       data(result));
  return result;
}

// The way back: rows [rows, dim], the i-th to row order[i] of a result of the given shape.
Tensor out_of_order(const Tensor& rows, const Tensor& order, at::IntArrayRef shape) {
  if (!order.defined()) return rows.view(shape);
  Tensor result = at::empty(shape, rows.options());
  kernels::scatter_rows(extent(rows, 0), extent(rows, 1), data(rows),
                        order.data_ptr<std::int64_t>(), data(result));
  return result;
}

// x: rows with a stride.
Tensor times(const Tensor& x, const Tensor& weight) {
  Tensor y = at::empty({row_count(x), weight.size(0)}, x.options());
  kernels::project(rows_of(x), extent(weight, 1), extent(weight, 0), data(x), stride(x),
                   data(weight), /*add=*/false, data(y));
  return y;
}

// grad_x: rows with a stride.
void back(const Tensor& grad_y, const Tensor& weight, bool add, const Tensor& grad_x) {
  kernels::project_backward(rows_of(grad_y), extent(weight, 1), extent(weight, 0), data(weight),
                            data(grad_y), add, data(grad_x), stride(grad_x));
}

Tensor back(const Tensor& grad_y, const Tensor& weight) {
  Tensor grad_x = at::empty({row_count(grad_y), weight.size(1)}, grad_y.options());
  back(grad_y, weight, /*add=*/false, grad_x);
  return grad_x;
}

// x: rows with a stride.
Tensor weight_gradient(const Tensor& grad_y, const Tensor& x, const Tensor& weight) {
  Tensor grad = at::empty_like(weight);
  kernels::project_weight_backward(rows_of(x), extent(weight, 1), extent(weight, 0), data(x),
                                   stride(x), data(grad_y), /*add=*/false, data(grad));
  return grad;
}

struct Halves {
  explicit Halves(const Tensor& both)
      : u(both.narrow(1, 0, both.size(1) / 2)),
        z(both.narrow(1, both.size(1) / 2, both.size(1) / 2)) {}
  Tensor u, z;
};

struct LowParts {
  LowParts(const Tensor& low, std::int64_t rank)
      : dt(low.narrow(1, 0, rank)),
        b(low.narrow(1, rank, kernels::kState)),
        c(low.narrow(1, rank + std::int64_t{kernels::kState}, kernels::kState)) {}
  Tensor dt, b, c;
};

// An argument that is no tensor to autograd, since it may have none.
struct Reading {
  const Sequences& sequences;
  const Tensor& order;
};

struct SelectiveMixer : torch::autograd::Function<SelectiveMixer> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& in,
                        const Tensor& conv, const Tensor& conv_bias, const Tensor& low,
                        const Tensor& dt_weight, const Tensor& dt_bias, const Tensor& a_log,
                        const Tensor& skip, const Tensor& out, const Reading& reading) {
    const auto& [sequences, order] = reading;
    const Tensor x = in_order(input, order), both = times(x, in);
    const Halves halves(both);
    const Tensor v = run_conv(halves.u, conv, conv_bias, sequences), lows = times(v, low);
    const LowParts parts(lows, dt_weight.size(1));
    SelectiveInput scan{
        v, times(parts.dt, dt_weight), dt_bias, a_log, parts.b, parts.c, skip, halves.z, {}};
    const Tensor y = run_selective(scan, sequences);
    ctx->save_for_backward({x, in, conv, conv_bias, low, dt_weight, dt_bias, a_log, skip, out, both,
                            v, lows, scan.dt, y, scan.starts, order});
    save(ctx, sequences);
    return out_of_order(times(y, out), order, input.sizes());
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list s = ctx->get_saved_variables();
    const Tensor &x = s[0], &in = s[1], &conv = s[2], &conv_bias = s[3], &low = s[4];
    const Tensor &dt_weight = s[5], &out = s[9], &both = s[10], &v = s[11], &lows = s[12];
    const Tensor &y = s[14], &order = s[16];
    const Sequences sequences = saved_sequences(ctx);
    const Halves halves(both);
    const LowParts parts(lows, dt_weight.size(1));
    const SelectiveInput scan{v, s[13], s[6], s[7], parts.b, parts.c, s[8], halves.z, s[15]};

    const Tensor grad = in_order(grads[0], order);
    const Tensor grad_both = at::empty_like(both), grad_lows = at::empty_like(lows);
    const Halves grad_halves(grad_both);
    const LowParts grad_parts(grad_lows, dt_weight.size(1));
    const SelectiveGradient g = run_selective_backward(scan, back(grad, out), grad_parts.b,
                                                       grad_parts.c, grad_halves.z, sequences);
    back(g.dt, dt_weight, /*add=*/false, grad_parts.dt);
    back(grad_lows, low, /*add=*/true, g.v);
    const auto [grad_conv, grad_conv_bias] =
        run_conv_backward(halves.u, conv, conv_bias, g.v, grad_halves.u, sequences);
    return {out_of_order(back(grad_both, in), order, grads[0].sizes()),
            weight_gradient(grad_both, x, in),
            grad_conv,
            grad_conv_bias,
            weight_gradient(grad_lows, v, low),
            weight_gradient(g.dt, parts.dt, dt_weight),
            g.dt_bias,
            g.a_log,
            g.skip,
            weight_gradient(grad, y, out),
            Tensor()};
  }
};

struct LtiMixer : torch::autograd::Function<LtiMixer> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& in,
                        const Tensor& conv, const Tensor& conv_bias, const Tensor& log_dt,
                        const Tensor& a_log, const Tensor& c, const Tensor& skip,
                        const Tensor& out) {
    const Tensor x = input.contiguous(), both = times(x, in);
    const Halves halves(both);
    const Sequences sequences = sequences_of(x);
    LtiInput scan{run_conv(halves.u, conv, conv_bias, sequences),
                  log_dt,
                  a_log,
                  c,
                  skip,
                  halves.z,
                  {},
                  {},
                  {}};
    const Tensor y = run_lti(scan, sequences);
    ctx->save_for_backward({x, in, conv, conv_bias, log_dt, a_log, c, skip, out, both, scan.v, y,
                            scan.starts, scan.decay, scan.b});
    return times(y, out).view(input.sizes());
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list s = ctx->get_saved_variables();
    const Tensor &x = s[0], &in = s[1], &conv = s[2], &conv_bias = s[3], &out = s[8];
    const Tensor &both = s[9], &y = s[11];
    const Sequences sequences = sequences_of(x);
    const Halves halves(both);
    const LtiInput scan{s[10], s[4], s[5], s[6], s[7], halves.z, s[12], s[13], s[14]};

    const Tensor grad = grads[0].contiguous(), grad_both = at::empty_like(both);
    const Halves grad_halves(grad_both);
    const LtiGradient g = run_lti_backward(scan, back(grad, out), grad_halves.z, sequences);
    const auto [grad_conv, grad_conv_bias] =
        run_conv_backward(halves.u, conv, conv_bias, g.v, grad_halves.u, sequences);
    return {back(grad_both, in).view(x.sizes()),
            weight_gradient(grad_both, x, in),
            grad_conv,
            grad_conv_bias,
            g.log_dt,
            g.a_log,
            g.c,
            g.skip,
            weight_gradient(grad, y, out)};
  }
};

}  // namespace

Tensor selective_mixer(const Tensor& x, const SelectiveWeights& w, const Sequences& sequences,
                       const Tensor& order) {
  assert(sequences.first.front() == 0 && sequences.first.back() == row_count(x));
  assert(!order.defined() || (order.is_contiguous() && order.numel() == row_count(x)));
  return SelectiveMixer::apply(x, w.in, w.conv, w.conv_bias, w.low, w.dt_weight, w.dt_bias, w.a_log,
                               w.skip, w.out, Reading{sequences, order});
}
Tensor lti_mixer(const Tensor& x, const LtiWeights& w) {
  return LtiMixer::apply(x, w.in, w.conv, w.conv_bias, w.log_dt, w.a_log, w.c, w.skip, w.out);
}

}  // namespace eco::train::fused
