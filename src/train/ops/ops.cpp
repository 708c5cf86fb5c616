#include "train/ops/ops.h"

#include <atomic>

namespace eco::train {

namespace {
std::atomic<Ops> chosen{Ops::fused};
}

void set_ops(Ops ops) {
  chosen = ops;
}
Ops current_ops() {
  return chosen;
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight) {
  return plain::rms_norm(x, weight);
}

at::Tensor bias_silu(const at::Tensor& x, const at::Tensor& bias) {
  return plain::bias_silu(x, bias);
}

at::Tensor causal_conv_silu(const at::Tensor& u, const at::Tensor& weight, const at::Tensor& bias) {
  return plain::causal_conv_silu(u, weight, bias);
}

at::Tensor selective_scan(const at::Tensor& v, const at::Tensor& dt, const at::Tensor& dt_bias,
                          const at::Tensor& a_log, const at::Tensor& b, const at::Tensor& c,
                          const at::Tensor& skip, const at::Tensor& z) {
  return plain::selective_scan(v, dt, dt_bias, a_log, b, c, skip, z);
}

at::Tensor lti_scan(const at::Tensor& v, const at::Tensor& log_dt, const at::Tensor& a_log,
                    const at::Tensor& c, const at::Tensor& skip, const at::Tensor& z) {
  return plain::lti_scan(v, log_dt, a_log, c, skip, z);
}

at::Tensor pointer_log_probs(const at::Tensor& q, const at::Tensor& k, const at::Tensor& bias,
                             const PointerMask& mask) {
  return plain::pointer_log_probs(q, k, bias, mask);
}

at::Tensor candidate_input(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& states,
                           const at::Tensor& nodes, const at::Tensor& candidates) {
  return plain::candidate_input(x, bias, states, nodes, candidates);
}

at::Tensor candidate_dots(const at::Tensor& q, const at::Tensor& k, const at::Tensor& bias,
                          const at::Tensor& candidates) {
  return plain::candidate_dots(q, k, bias, candidates);
}

at::Tensor set_attention(const at::Tensor& qkv, const at::Tensor& count) {
  return plain::set_attention(qkv, count);
}

}  // namespace eco::train
