#pragma once
// Convolution and scans without a node in the graph: what such nodes are made of. Inputs are rows
// with a stride where it says so, and so are the gradients that are given as tensors to write to.
// All are [..., channels]: `sequences` alone says where one sequence of the rows ends and the next
// starts.

#include <utility>

#include "train/ops/fused.h"

namespace eco::train::fused {

// u: rows with a stride.
[[nodiscard]] at::Tensor run_conv(const at::Tensor& u, const at::Tensor& weight,
                                  const at::Tensor& bias, const Sequences& sequences);
// The gradients of weight and bias; grad_u: rows with a stride.
[[nodiscard]] std::pair<at::Tensor, at::Tensor> run_conv_backward(
    const at::Tensor& u, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& grad,
    const at::Tensor& grad_u, const Sequences& sequences);

struct SelectiveInput {
  at::Tensor v, dt, dt_bias, a_log;
  at::Tensor b, c;  // rows with the same stride
  at::Tensor skip;
  at::Tensor z;       // rows with a stride
  at::Tensor starts;  // made by forward
};
struct SelectiveGradient {
  at::Tensor v, dt, dt_bias, a_log, skip;
};
[[nodiscard]] at::Tensor run_selective(SelectiveInput& in, const Sequences& sequences);
// grad_b and grad_c: rows with the same stride; grad_z: rows with a stride.
[[nodiscard]] SelectiveGradient run_selective_backward(
    const SelectiveInput& in, const at::Tensor& grad, const at::Tensor& grad_b,
    const at::Tensor& grad_c, const at::Tensor& grad_z, const Sequences& sequences);

struct LtiInput {
  at::Tensor v, log_dt, a_log, c, skip;
  at::Tensor z;                 // rows with a stride
  at::Tensor starts, decay, b;  // made by forward
};
struct LtiGradient {
  at::Tensor v, log_dt, a_log, c, skip;
};
[[nodiscard]] at::Tensor run_lti(LtiInput& in, const Sequences& sequences);
// grad_z: rows with a stride.
[[nodiscard]] LtiGradient run_lti_backward(const LtiInput& in, const at::Tensor& grad,
                                           const at::Tensor& grad_z, const Sequences& sequences);

// Kept for the backward pass beside the tensors.
void save(torch::autograd::AutogradContext* ctx, const Sequences& sequences);
[[nodiscard]] Sequences saved_sequences(torch::autograd::AutogradContext* ctx);

}  // namespace eco::train::fused
