#pragma once
// The fused side of ops.h: autograd functions over the kernels. Float tensors only; channel counts
// are multiples of 8.

#include "train/ops/ops.h"

namespace eco::train::fused {

[[nodiscard]] at::Tensor project(const at::Tensor& x, const at::Tensor& weight);
[[nodiscard]] at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight);
[[nodiscard]] at::Tensor bias_silu(const at::Tensor& x, const at::Tensor& bias);
[[nodiscard]] at::Tensor permute_rows(const at::Tensor& x, const at::Tensor& order);
[[nodiscard]] at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& norm,
                                      const at::Tensor& up, const at::Tensor& up_bias,
                                      const at::Tensor& down, const at::Tensor& down_bias);
[[nodiscard]] at::Tensor causal_conv_silu(const at::Tensor& u, const at::Tensor& weight,
                                          const at::Tensor& bias);
[[nodiscard]] at::Tensor selective_scan(const at::Tensor& v, const at::Tensor& dt,
                                        const at::Tensor& dt_bias, const at::Tensor& a_log,
                                        const at::Tensor& b, const at::Tensor& c,
                                        const at::Tensor& skip, const at::Tensor& z);
[[nodiscard]] at::Tensor lti_scan(const at::Tensor& v, const at::Tensor& log_dt,
                                  const at::Tensor& a_log, const at::Tensor& c,
                                  const at::Tensor& skip, const at::Tensor& z);
// x [..., dim]: `sequences` and `order` are of its rows.
[[nodiscard]] at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w,
                                         const Sequences& sequences, const at::Tensor& order);
[[nodiscard]] at::Tensor lti_mixer(const at::Tensor& x, const LtiWeights& w);
[[nodiscard]] at::Tensor pointer_log_probs(const at::Tensor& q, const at::Tensor& k,
                                           const at::Tensor& bias, const PointerMask& mask);
[[nodiscard]] NeighbourMix neighbour_attention(const at::Tensor& qkv, const at::Tensor& edge_bias,
                                               const at::Tensor& candidates,
                                               const at::Tensor& count, const at::Tensor& features);
[[nodiscard]] at::Tensor mutual_features(const at::Tensor& logits, const at::Tensor& count,
                                         const at::Tensor& back);
[[nodiscard]] TargetLikelihood target_log_likelihood(const at::Tensor& logits,
                                                     const at::Tensor& target,
                                                     const at::Tensor& count);
[[nodiscard]] at::Tensor edge_scores(const at::Tensor& features, const at::Tensor& own,
                                     const at::Tensor& nodes, const at::Tensor& candidates,
                                     const at::Tensor& count, const EdgeScorerWeights& w);

// Shared by the functions below.
inline float* data(const at::Tensor& tensor) {
  return tensor.data_ptr<float>();
}
inline std::size_t extent(const at::Tensor& tensor, std::int64_t dim) {
  return static_cast<std::size_t>(tensor.size(dim));
}
inline std::size_t rows_of(const at::Tensor& x) {  // [..., channels]
  return static_cast<std::size_t>(x.numel() / x.size(-1));
}

// A tensor whose rows, [..., channels], lie one stride apart throughout: the halves of a product's
// result are such, and are read where they are.
inline at::Tensor as_rows(const at::Tensor& x) {
  bool rows = x.dim() > 1 && x.stride(-1) == 1;
  for (std::int64_t d = 0; rows && d + 2 < x.dim(); ++d) {
    rows = x.size(d) == 1 || x.stride(d) == x.size(d + 1) * x.stride(d + 1);
  }
  return rows ? x : x.contiguous();
}
inline std::size_t stride(const at::Tensor& x) {
  return static_cast<std::size_t>(x.stride(-2));
}
inline Sequences sequences_of(const at::Tensor& x) {  // [batch, length, channels]
  return Sequences::equal(x.size(0), x.size(1));
}

}  // namespace eco::train::fused
