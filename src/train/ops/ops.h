#pragma once
// The hot operations of the network. Each has a fused kernel (fp32, forward and backward by hand)
// and a plain-tensor twin (namespace plain) that states what it computes, works in any precision
// and leaves the backward pass to autograd. These functions take the kernel for float tensors and
// the twin for all others, or always the twin after set_ops(Ops::plain) (`--ops plain`).
//
// Nothing here ever holds a [batch, length, channel, state] or a [steps, nodes] tensor, except the
// twin of pointer_log_probs.

#include <cstdint>
#include <vector>

#include "train/ops/choice.h"
#include "train/torch.h"

namespace eco::train {

void set_ops(Ops ops);

// x w^T.   x [..., inputs], weight [outputs, inputs] -> [..., outputs]
[[nodiscard]] at::Tensor project(const at::Tensor& x, const at::Tensor& weight);

// x / sqrt(mean(x^2) + 1e-5) * weight.   x [..., dim], weight [dim]
[[nodiscard]] at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight);

// silu(x + bias).   x [..., channels], bias [channels]
[[nodiscard]] at::Tensor bias_silu(const at::Tensor& x, const at::Tensor& bias);

// The FFN with its norm and its residual sum: x + down silu(up rms_norm(x) + up_bias) + down_bias.
// x [..., dim]; norm, down_bias [dim]; up [width, dim]; up_bias [width]; down [dim, width]
[[nodiscard]] at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& norm,
                                      const at::Tensor& up, const at::Tensor& up_bias,
                                      const at::Tensor& down, const at::Tensor& down_bias);

// y[i] = x[order[i]] for a permutation: the way back needs no sums.   x [rows, dim]; order [rows]
// long
[[nodiscard]] at::Tensor permute_rows(const at::Tensor& x, const at::Tensor& order);

// silu of a causal depthwise convolution, zero before the start.
// u [batch, length, channels], weight [channels, 4], bias [channels]
[[nodiscard]] at::Tensor causal_conv_silu(const at::Tensor& u, const at::Tensor& weight,
                                          const at::Tensor& bias);

// The S6 recurrence and its gate (docs/model.md, section 1):
//   d = softplus(dt + dt_bias);  h_t = exp(d A) h_{t-1} + d B_t v_t;  y_t = C_t.h_t + skip v_t
// result y * silu(z).   v, dt, z [batch, length, channels]; b, c [batch, length, state];
// a_log [channels, state]; dt_bias, skip [channels]
[[nodiscard]] at::Tensor selective_scan(const at::Tensor& v, const at::Tensor& dt,
                                        const at::Tensor& dt_bias, const at::Tensor& a_log,
                                        const at::Tensor& b, const at::Tensor& c,
                                        const at::Tensor& skip, const at::Tensor& z);

// The S4 recurrence and its gate:
//   d = exp(log_dt);  a = exp(d A);  h_t = a h_{t-1} + (a - 1) / A v_t;  y_t = c.h_t + skip v_t
// v, z [batch, length, channels]; log_dt, skip [channels]; a_log, c [channels, state]
[[nodiscard]] at::Tensor lti_scan(const at::Tensor& v, const at::Tensor& log_dt,
                                  const at::Tensor& a_log, const at::Tensor& c,
                                  const at::Tensor& skip, const at::Tensor& z);

// The mixers of both stacks, from the norm to the residual sum:
//   (u, z) = in x;  v = causal_conv_silu(u);  y = scan of v, gated by z;  result out y
// where the selective one also makes (r, b, c) = low v and dt = dt_weight r.
// x [batch, length, dim]; in [2 channels, dim]; low [rank + 2 state, channels];
// dt_weight [channels, rank]; out [dim, channels]; the others as above
struct SelectiveWeights {
  at::Tensor in, conv, conv_bias, low, dt_weight, dt_bias, a_log, skip, out;
};
struct LtiWeights {
  at::Tensor in, conv, conv_bias, log_dt, a_log, c, skip, out;
};
[[nodiscard]] at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w);
[[nodiscard]] at::Tensor lti_mixer(const at::Tensor& x, const LtiWeights& w);

// Sequences of different lengths one after the other in a row of tokens.
struct Sequences {
  std::vector<std::int64_t> first;  // [sequences + 1]: where each starts; last: how many tokens

  [[nodiscard]] static Sequences equal(std::int64_t count, std::int64_t length);
};

// The same over such a row: convolution and scan start afresh at each sequence, the products are
// over all tokens. With `order` the mixer reads token order[i] as the i-th and writes its result
// back to that place; a token's place stays within its sequence.
// x [tokens, dim]; order [tokens] long, or undefined for the order of the tokens
[[nodiscard]] at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w,
                                         const Sequences& sequences, const at::Tensor& order = {});

// What the pointer loss has to know of a batch besides queries and keys (train/data/batch.h).
struct PointerMask {
  at::Tensor instance;  // [solutions] long
  at::Tensor path;      // [solutions, steps] long
  at::Tensor counted;   // [solutions, steps] float
  at::Tensor order;     // [solutions, customers] long
  at::Tensor served;    // [solutions, steps] int
  at::Tensor at_depot;  // [solutions, steps] float; CVRP only, like the next two
  at::Tensor rank;      // [instances, nodes] int
  at::Tensor fits;      // [solutions, steps] int
};

// [solutions, steps, nodes] bool: which nodes may be chosen.
[[nodiscard]] at::Tensor feasible_nodes(const PointerMask& mask, std::int64_t nodes);

// log softmax over the feasible nodes of q.k / sqrt(dim) + bias, at the chosen node; 0 where not
// counted.   q [solutions, steps, dim]; k [instances, nodes, dim]; bias [instances, nodes]
[[nodiscard]] at::Tensor pointer_log_probs(const at::Tensor& q, const at::Tensor& k,
                                           const at::Tensor& bias, const PointerMask& mask);

// The operations below are for packed tokens: each has up to k candidates, tokens as well, of which
// those from `count` [tokens] int on do not exist (whatever `candidates` [tokens, k] long says).

// Attention of each token over its candidates, heads of `width` numbers:
//   s(i, a) = q_i . k_c(i,a) / sqrt(width) + edge_bias(i, a);  w = softmax over a < count(i)
//   mixed(i) = sum w v_c(i,a);  edges(i) = sum w features(i, a), for each head; 0 without
//   candidates
// qkv [tokens, 3, heads, width]; edge_bias [tokens, k, heads]; features [tokens, k, inputs], which
// get no gradient -> mixed [tokens, heads * width], edges [tokens, heads, inputs]
struct NeighbourMix {
  at::Tensor mixed, edges;
};
[[nodiscard]] NeighbourMix neighbour_attention(const at::Tensor& qkv, const at::Tensor& edge_bias,
                                               const at::Tensor& candidates,
                                               const at::Tensor& count, const at::Tensor& features);

// What a second scorer sees of the first one's logits [tokens, k]: for each edge the
// log-probability that its token gives it and that its candidate gives it, bounded below by -10,
// and both probabilities -> [tokens, k, 4] = (0.2 own, 0.2 other, exp(own), exp(other)). back
// [tokens, k] long: index u * k + b of the same edge among the candidates of its other end u, or -1
// if it is not there (other = -10, exp(other) = 0). 0 where there is no candidate.
[[nodiscard]] at::Tensor mutual_features(const at::Tensor& logits, const at::Tensor& count,
                                         const at::Tensor& back);

// Sum over all candidates that exist of target * log softmax(logits); target [tokens, k] gets no
// gradient.   log_probs [tokens, k], without a gradient, -1e30 where there is no candidate
struct TargetLikelihood {
  at::Tensor sum, log_probs;
};
[[nodiscard]] TargetLikelihood target_log_likelihood(const at::Tensor& logits,
                                                     const at::Tensor& target,
                                                     const at::Tensor& count);

// The scorer of a token's candidates, from their features to one number each; 0 where there is
// none:
//   x = relu(feature f + bias + own(i) + nodes(c(i, a)))
//   in each layer: x += out attention of the candidates among themselves, of qkv rms_norm(x)
//   score . relu(hidden rms_norm(x) + hidden_bias)
// features [tokens, k, inputs]; own, nodes [tokens, width]; feature [width, inputs]; norm,
// hidden_norm, bias, hidden_bias, score [width]; qkv [3 width, width]; out, hidden [width, width]
struct EdgeScorerWeights {
  struct Layer {
    at::Tensor norm, qkv, out;
  };
  at::Tensor feature, bias;
  std::vector<Layer> layers;
  at::Tensor hidden_norm, hidden, hidden_bias, score;
  std::int64_t heads;  // of attention
};
[[nodiscard]] at::Tensor edge_scores(const at::Tensor& features, const at::Tensor& own,
                                     const at::Tensor& nodes, const at::Tensor& candidates,
                                     const at::Tensor& count, const EdgeScorerWeights& w);

namespace plain {

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
[[nodiscard]] at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w);
[[nodiscard]] at::Tensor selective_mixer(const at::Tensor& x, const SelectiveWeights& w,
                                         const Sequences& sequences, const at::Tensor& order = {});
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

}  // namespace plain
}  // namespace eco::train
