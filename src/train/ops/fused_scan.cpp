#include <vector>

#include "train/ops/fused.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using kernels::kState;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

const float* row(const Tensor& x, std::size_t sequence) {
  return data(x) + static_cast<std::int64_t>(sequence) * x.size(1) * x.stride(1);
}

struct CausalConvSilu : torch::autograd::Function<CausalConvSilu> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& weight,
                        const Tensor& bias) {
    const Tensor u = as_rows(input);
    const std::size_t batch = extent(u, 0), length = extent(u, 1), channels = extent(u, 2);
    Tensor v = at::empty(u.sizes(), u.options());
    for (std::size_t i = 0; i < batch; ++i) {
      kernels::conv_silu(length, channels, row(u, i), stride(u), data(weight), data(bias),
                         data(v) + i * length * channels);
    }
    ctx->save_for_backward({u, weight, bias});
    return v;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &u = saved[0], &weight = saved[1], &bias = saved[2], grad = grads[0].contiguous();
    const std::size_t batch = extent(u, 0), length = extent(u, 1), channels = extent(u, 2);
    Tensor grad_u = at::empty(u.sizes(), u.options());
    Tensor grad_weight = at::zeros_like(weight), grad_bias = at::zeros_like(bias);
    for (std::size_t i = 0; i < batch; ++i) {
      const std::size_t at = i * length * channels;
      kernels::conv_silu_backward(length, channels, row(u, i), stride(u), data(weight), data(bias),
                                  data(grad) + at, data(grad_u) + at, data(grad_weight),
                                  data(grad_bias));
    }
    return {grad_u, grad_weight, grad_bias};
  }
};

// The state matrix A = -exp(a_log), in blocks.
std::vector<float> state_matrix(const Tensor& a_log) {
  const Tensor a = a_log.detach().exp().neg_();
  std::vector<float> blocks(static_cast<std::size_t>(a.numel()));
  kernels::to_blocks(extent(a, 0), data(a), blocks.data());
  return blocks;
}

// Room for the states at the starts of all chunks.
Tensor chunk_starts(const Tensor& v) {
  const std::size_t chunks = kernels::chunks_of(extent(v, 1));
  return at::empty({v.size(0), static_cast<std::int64_t>(chunks), v.size(2) * 16}, v.options());
}

Tensor rows_from(const std::vector<float>& blocks, const Tensor& like) {
  Tensor result = at::empty_like(like);
  kernels::from_blocks(extent(like, 0), blocks.data(), data(result));
  return result;
}

struct Selective : torch::autograd::Function<Selective> {
  static kernels::SelectiveScan sequence(const variable_list& in, const std::vector<float>& a,
                                         std::size_t i) {
    const Tensor &v = in[0], &dt = in[1], &b = in[4], &c = in[5], &z = in[7], &starts = in[8];
    const std::size_t size = extent(v, 1) * extent(v, 2);
    return {extent(v, 1),
            extent(v, 2),
            data(v) + i * size,
            data(dt) + i * size,
            row(b, i),
            row(c, i),
            row(z, i),
            stride(b),
            stride(z),
            data(in[2]),
            data(in[6]),
            a.data(),
            data(starts) + static_cast<std::int64_t>(i) * starts.stride(0)};
  }
  static Tensor forward(AutogradContext* ctx, const Tensor& v, const Tensor& dt,
                        const Tensor& dt_bias, const Tensor& a_log, const Tensor& b,
                        const Tensor& c, const Tensor& skip, const Tensor& z) {
    Tensor b_rows = as_rows(b), c_rows = as_rows(c);
    if (stride(b_rows) != stride(c_rows)) {
      b_rows = b.contiguous();
      c_rows = c.contiguous();
    }
    const variable_list in{v.contiguous(), dt.contiguous(), dt_bias,        a_log, b_rows, c_rows,
                           skip,           as_rows(z),      chunk_starts(v)};
    const std::vector<float> a = state_matrix(a_log);
    Tensor y = at::empty(v.sizes(), v.options());
    for (std::size_t i = 0; i < extent(v, 0); ++i) {
      kernels::selective_scan(sequence(in, a, i),
                              data(y) + static_cast<std::int64_t>(i) * y.stride(0));
    }
    ctx->save_for_backward(in);
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list in = ctx->get_saved_variables();
    const Tensor &v = in[0], &a_log = in[3], grad = grads[0].contiguous();
    const std::vector<float> a = state_matrix(a_log);
    const auto like = [&] { return at::empty(v.sizes(), v.options()); };
    const auto low = [&] { return at::empty({v.size(0), v.size(1), 16}, v.options()); };
    Tensor grad_v = like(), grad_dt = like(), grad_z = like(), grad_b = low(), grad_c = low();
    Tensor grad_bias = at::zeros_like(in[2]), grad_skip = at::zeros_like(in[6]);
    std::vector<float> grad_a(a.size()), carry(a.size());
    for (std::size_t i = 0; i < extent(v, 0); ++i) {
      const std::size_t at = i * extent(v, 1) * extent(v, 2), bc = i * extent(v, 1) * kState;
      kernels::selective_scan_backward(
          sequence(in, a, i), {data(grad) + at, data(grad_v) + at, data(grad_dt) + at,
                               data(grad_z) + at, data(grad_b) + bc, data(grad_c) + bc,
                               data(grad_bias), data(grad_skip), grad_a.data(), carry.data()});
    }
    // A = -exp(a_log) is its own derivative.
    const Tensor grad_a_log = rows_from(grad_a, a_log).mul_(a_log.detach().exp().neg_());
    return {grad_v, grad_dt, grad_bias, grad_a_log, grad_b, grad_c, grad_skip, grad_z};
  }
};

struct Lti : torch::autograd::Function<Lti> {
  struct Blocks {
    std::vector<float> decay, weight;
  };
  // decay, b, c [channels, 16].
  static Blocks blocks_of(const Tensor& decay, const Tensor& b, const Tensor& c) {
    const auto size = static_cast<std::size_t>(c.numel());
    Blocks blocks{std::vector<float>(size), std::vector<float>(size)};
    kernels::to_blocks(extent(c, 0), data(decay), blocks.decay.data());
    kernels::to_blocks(extent(c, 0), data(b * c.detach()), blocks.weight.data());
    return blocks;
  }
  static kernels::LtiScan sequence(const variable_list& in, const Blocks& blocks, std::size_t i) {
    const Tensor &v = in[0], &z = in[5], &starts = in[6];
    return {extent(v, 1),
            extent(v, 2),
            data(v) + i * extent(v, 1) * extent(v, 2),
            row(z, i),
            stride(z),
            blocks.decay.data(),
            blocks.weight.data(),
            data(in[4]),
            data(starts) + static_cast<std::int64_t>(i) * starts.stride(0)};
  }
  static Tensor forward(AutogradContext* ctx, const Tensor& v, const Tensor& log_dt,
                        const Tensor& a_log, const Tensor& c, const Tensor& skip, const Tensor& z) {
    Tensor decay = at::empty_like(a_log), b = at::empty_like(a_log);
    kernels::lti_constants(static_cast<std::size_t>(a_log.numel()), data(a_log), data(log_dt),
                           data(decay), data(b));
    const variable_list in{v.contiguous(), log_dt,          a_log, c, skip,
                           as_rows(z),     chunk_starts(v), decay, b};
    const Blocks blocks = blocks_of(decay, b, c);
    Tensor y = at::empty(v.sizes(), v.options());
    for (std::size_t i = 0; i < extent(v, 0); ++i) {
      kernels::lti_scan(sequence(in, blocks, i),
                        data(y) + static_cast<std::int64_t>(i) * y.stride(0));
    }
    ctx->save_for_backward(in);
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list in = ctx->get_saved_variables();
    const Tensor &v = in[0], &a_log = in[2], grad = grads[0].contiguous();
    const Tensor &decay = in[7], &b = in[8], c = in[3].detach();
    const Blocks blocks = blocks_of(decay, b, c);
    Tensor grad_v = at::empty(v.sizes(), v.options()), grad_z = at::empty(v.sizes(), v.options());
    Tensor grad_skip = at::zeros_like(in[4]);
    std::vector<float> to_decay(blocks.decay.size()), to_weight(to_decay.size());
    std::vector<float> carry(to_decay.size());
    for (std::size_t i = 0; i < extent(v, 0); ++i) {
      const std::size_t at = i * extent(v, 1) * extent(v, 2);
      kernels::lti_scan_backward(
          sequence(in, blocks, i),
          {data(grad) + at, data(grad_v) + at, data(grad_z) + at, to_decay.data(), to_weight.data(),
           data(grad_skip), carry.data()});
    }
    // decay = exp(x), b = (exp(x) - 1) / A with x = A dt; weight = c b.
    const Tensor grad_decay = rows_from(to_decay, c), grad_weight = rows_from(to_weight, c);
    const Tensor a = a_log.detach().exp().neg_(), dt = in[1].detach().exp().unsqueeze(1);
    const Tensor grad_b = grad_weight * c, grad_c = grad_weight * b;
    const Tensor grad_x = (grad_decay + grad_b / a) * decay;
    const Tensor grad_a_log = grad_x * dt * a - grad_b * b;
    const Tensor grad_log_dt = (grad_x * a * dt).sum(1);
    return {grad_v, grad_log_dt, grad_a_log, grad_c, grad_skip, grad_z};
  }
};

}  // namespace

Tensor causal_conv_silu(const Tensor& u, const Tensor& weight, const Tensor& bias) {
  return CausalConvSilu::apply(u, weight, bias);
}
Tensor selective_scan(const Tensor& v, const Tensor& dt, const Tensor& dt_bias, const Tensor& a_log,
                      const Tensor& b, const Tensor& c, const Tensor& skip, const Tensor& z) {
  return Selective::apply(v, dt, dt_bias, a_log, b, c, skip, z);
}
Tensor lti_scan(const Tensor& v, const Tensor& log_dt, const Tensor& a_log, const Tensor& c,
                const Tensor& skip, const Tensor& z) {
  return Lti::apply(v, log_dt, a_log, c, skip, z);
}

}  // namespace eco::train::fused
