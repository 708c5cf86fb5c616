#include "train/ops/fused_scan.h"

#include <vector>

#include "train/ops/kernels/kernels.h"

namespace eco::train::fused {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

// One of the sequences: its first row and its length, and where its chunks lie among those of all.
struct Span {
  std::size_t first, length, chunk;
  // Where it starts in an array of rows, and in the one of chunk starts.
  [[nodiscard]] float* in(const Tensor& x) const { return data(x) + first * stride(x); }
  [[nodiscard]] float* starts(const Tensor& all) const { return data(all) + chunk * stride(all); }
};

std::vector<Span> spans_of(const Sequences& sequences) {
  std::vector<Span> spans;
  std::size_t chunk = 0;
  for (std::size_t i = 0; i + 1 < sequences.first.size(); ++i) {
    const auto first = static_cast<std::size_t>(sequences.first[i]);
    const std::size_t length = static_cast<std::size_t>(sequences.first[i + 1]) - first;
    if (length == 0) continue;
    spans.push_back({first, length, chunk});
    chunk += kernels::starts_of(length);
  }
  return spans;
}

// The state matrix A = -exp(a_log), in blocks.
std::vector<float> state_matrix(const Tensor& a_log) {
  const Tensor a = a_log.detach().exp().neg_();
  std::vector<float> blocks(static_cast<std::size_t>(a.numel()));
  kernels::to_blocks(extent(a, 0), data(a), blocks.data());
  return blocks;
}

// Room for the states at the starts of all chunks.
Tensor chunk_starts(const Tensor& v, const std::vector<Span>& spans) {
  const std::size_t chunks =
      spans.empty() ? 0 : spans.back().chunk + kernels::starts_of(spans.back().length);
  return at::empty({static_cast<std::int64_t>(chunks), v.size(-1) * 16}, v.options());
}

Tensor rows_from(const std::vector<float>& blocks, const Tensor& like) {
  Tensor result = at::empty_like(like);
  kernels::from_blocks(extent(like, 0), blocks.data(), data(result));
  return result;
}

kernels::SelectiveScan selective_sequence(const SelectiveInput& in, const std::vector<float>& a,
                                          const Span& span) {
  return {span.length,   extent(in.v, -1), span.in(in.v),         span.in(in.dt), span.in(in.b),
          span.in(in.c), span.in(in.z),    stride(in.b),          stride(in.z),   data(in.dt_bias),
          data(in.skip), a.data(),         span.starts(in.starts)};
}

// What the kernel reads of the constants, in blocks.
struct LtiBlocks {
  explicit LtiBlocks(const LtiInput& in)
      : decay(static_cast<std::size_t>(in.c.numel())), weight(decay.size()) {
    kernels::to_blocks(extent(in.c, 0), data(in.decay), decay.data());
    kernels::to_blocks(extent(in.c, 0), data(in.b * in.c.detach()), weight.data());
  }
  std::vector<float> decay, weight;
};

kernels::LtiScan lti_sequence(const LtiInput& in, const LtiBlocks& blocks, const Span& span) {
  return {span.length,          extent(in.v, -1), span.in(in.v),
          span.in(in.z),        stride(in.z),     blocks.decay.data(),
          blocks.weight.data(), data(in.skip),    span.starts(in.starts)};
}

}  // namespace

Tensor run_conv(const Tensor& u, const Tensor& weight, const Tensor& bias,
                const Sequences& sequences) {
  Tensor v = at::empty(u.sizes(), u.options());
  const Tensor taps = weight.t().contiguous();
  for (const Span& span : spans_of(sequences)) {
    kernels::conv_silu(span.length, extent(u, -1), span.in(u), stride(u), data(taps), data(bias),
                       span.in(v));
  }
  return v;
}

std::pair<Tensor, Tensor> run_conv_backward(const Tensor& u, const Tensor& weight,
                                            const Tensor& bias, const Tensor& grad,
                                            const Tensor& grad_u, const Sequences& sequences) {
  const Tensor taps = weight.t().contiguous();
  Tensor grad_taps = at::zeros_like(taps), grad_bias = at::zeros_like(bias);
  for (const Span& span : spans_of(sequences)) {
    kernels::conv_silu_backward(span.length, extent(u, -1), span.in(u), stride(u), data(taps),
                                data(bias), span.in(grad), span.in(grad_u), stride(grad_u),
                                data(grad_taps), data(grad_bias));
  }
  return {grad_taps.t().contiguous(), grad_bias};
}

Tensor run_selective(SelectiveInput& in, const Sequences& sequences) {
  const std::vector<Span> spans = spans_of(sequences);
  in.starts = chunk_starts(in.v, spans);
  const std::vector<float> a = state_matrix(in.a_log);
  Tensor y = at::empty(in.v.sizes(), in.v.options());
  for (const Span& span : spans) {
    kernels::selective_scan(selective_sequence(in, a, span), span.in(y));
  }
  return y;
}

SelectiveGradient run_selective_backward(const SelectiveInput& in, const Tensor& grad,
                                         const Tensor& grad_b, const Tensor& grad_c,
                                         const Tensor& grad_z, const Sequences& sequences) {
  const std::vector<float> a = state_matrix(in.a_log);
  SelectiveGradient out{at::empty_like(in.v),
                        at::empty_like(in.v),
                        at::zeros_like(in.dt_bias),
                        {},
                        at::zeros_like(in.skip)};
  std::vector<float> grad_a(a.size()), carry(a.size());
  for (const Span& span : spans_of(sequences)) {
    kernels::selective_scan_backward(
        selective_sequence(in, a, span),
        {span.in(grad), span.in(out.v), span.in(out.dt), span.in(grad_z), span.in(grad_b),
         span.in(grad_c), stride(grad_z), stride(grad_b), data(out.dt_bias), data(out.skip),
         grad_a.data(), carry.data()});
  }
  // A = -exp(a_log) is its own derivative.
  out.a_log = rows_from(grad_a, in.a_log).mul_(in.a_log.detach().exp().neg_());
  return out;
}

Tensor run_lti(LtiInput& in, const Sequences& sequences) {
  const std::vector<Span> spans = spans_of(sequences);
  in.starts = chunk_starts(in.v, spans);
  in.decay = at::empty_like(in.a_log);
  in.b = at::empty_like(in.a_log);
  kernels::lti_constants(static_cast<std::size_t>(in.a_log.numel()), data(in.a_log),
                         data(in.log_dt), data(in.decay), data(in.b));
  const LtiBlocks blocks(in);
  Tensor y = at::empty(in.v.sizes(), in.v.options());
  for (const Span& span : spans) {
    kernels::lti_scan(lti_sequence(in, blocks, span), span.in(y));
  }
  return y;
}

LtiGradient run_lti_backward(const LtiInput& in, const Tensor& grad, const Tensor& grad_z,
                             const Sequences& sequences) {
  const LtiBlocks blocks(in);
  LtiGradient out{at::empty_like(in.v), {}, {}, {}, at::zeros_like(in.skip)};
  std::vector<float> to_decay(blocks.decay.size()), to_weight(to_decay.size());
  std::vector<float> carry(to_decay.size());
  for (const Span& span : spans_of(sequences)) {
    kernels::lti_scan_backward(lti_sequence(in, blocks, span),
                               {span.in(grad), span.in(out.v), span.in(grad_z), stride(grad_z),
                                to_decay.data(), to_weight.data(), data(out.skip), carry.data()});
  }
  // decay = exp(x), b = (exp(x) - 1) / A with x = A dt; weight = c b.
  const Tensor c = in.c.detach();
  const Tensor grad_decay = rows_from(to_decay, c), grad_weight = rows_from(to_weight, c);
  const Tensor a = in.a_log.detach().exp().neg_(), dt = in.log_dt.detach().exp().unsqueeze(1);
  const Tensor grad_b = grad_weight * c;
  const Tensor grad_x = (grad_decay + grad_b / a) * in.decay;
  const Tensor through_dt = grad_x * a * dt;
  out.c = grad_weight * in.b;
  out.a_log = through_dt - grad_b * in.b;
  out.log_dt = through_dt.sum(1);
  return out;
}

void save(AutogradContext* ctx, const Sequences& sequences) {
  ctx->saved_data["sequences"] = sequences.first;
}
Sequences saved_sequences(AutogradContext* ctx) {
  return {ctx->saved_data["sequences"].toIntVector()};
}

namespace {

struct CausalConvSilu : torch::autograd::Function<CausalConvSilu> {
  static Tensor forward(AutogradContext* ctx, const Tensor& input, const Tensor& weight,
                        const Tensor& bias) {
    const Tensor u = as_rows(input);
    ctx->save_for_backward({u, weight, bias});
    return run_conv(u, weight, bias, sequences_of(u));
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Tensor grad_u = at::empty(saved[0].sizes(), saved[0].options());
    auto [grad_weight, grad_bias] = run_conv_backward(
        saved[0], saved[1], saved[2], grads[0].contiguous(), grad_u, sequences_of(saved[0]));
    return {grad_u, grad_weight, grad_bias};
  }
};

struct Selective : torch::autograd::Function<Selective> {
  static Tensor forward(AutogradContext* ctx, const Tensor& v, const Tensor& dt,
                        const Tensor& dt_bias, const Tensor& a_log, const Tensor& b,
                        const Tensor& c, const Tensor& skip, const Tensor& z) {
    Tensor b_rows = as_rows(b), c_rows = as_rows(c);
    if (stride(b_rows) != stride(c_rows)) {
      b_rows = b.contiguous();
      c_rows = c.contiguous();
    }
    SelectiveInput in{v.contiguous(), dt.contiguous(), dt_bias, a_log, b_rows, c_rows,
                      skip,           as_rows(z),      {}};
    Tensor y = run_selective(in, sequences_of(in.v));
    ctx->save_for_backward(
        {in.v, in.dt, in.dt_bias, in.a_log, in.b, in.c, in.skip, in.z, in.starts});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list s = ctx->get_saved_variables();
    const SelectiveInput in{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    const auto like = [](const Tensor& x) { return at::empty(x.sizes(), x.options()); };
    const Tensor grad_b = like(in.b), grad_c = like(in.c), grad_z = like(in.z);
    const SelectiveGradient g = run_selective_backward(in, grads[0].contiguous(), grad_b, grad_c,
                                                       grad_z, sequences_of(in.v));
    return {g.v, g.dt, g.dt_bias, g.a_log, grad_b, grad_c, g.skip, grad_z};
  }
};

struct Lti : torch::autograd::Function<Lti> {
  static Tensor forward(AutogradContext* ctx, const Tensor& v, const Tensor& log_dt,
                        const Tensor& a_log, const Tensor& c, const Tensor& skip, const Tensor& z) {
    LtiInput in{v.contiguous(), log_dt, a_log, c, skip, as_rows(z), {}, {}, {}};
    Tensor y = run_lti(in, sequences_of(in.v));
    ctx->save_for_backward(
        {in.v, in.log_dt, in.a_log, in.c, in.skip, in.z, in.starts, in.decay, in.b});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list s = ctx->get_saved_variables();
    const LtiInput in{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    const Tensor grad_z = at::empty(in.z.sizes(), in.z.options());
    const LtiGradient g = run_lti_backward(in, grads[0].contiguous(), grad_z, sequences_of(in.v));
    return {g.v, g.log_dt, g.a_log, g.c, g.skip, grad_z};
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
