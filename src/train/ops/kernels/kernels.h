#pragma once
// The fused operations on bare arrays: fp32, forward and backward by hand, no LibTorch. ops.h says
// what each one computes; the names of the arrays are the same. Eight channels go through the SIMD
// lanes at a time, so channel counts are multiples of 8; the state is 16 deep, the convolution 4
// wide. A row of an array with a stride starts `stride` floats after the one before it.
//
// Each call works on one thread and in one fixed order. Gradients of parameters are added to what
// the arrays hold, unless it says otherwise; gradients of activations overwrite.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace eco::train::kernels {

inline constexpr std::size_t kState = 16;
inline constexpr std::size_t kConv = 4;

// Rows of numbers, a stride apart; what is read may be meant transposed.
struct ProductOperand {
  const float* data;
  std::size_t stride;
  bool transposed = false;
};
// c [rows, columns] = factor * a b, added to what c holds if `add`; a is [rows, inner] and b
// [inner, columns], as they are meant.
struct Product {
  std::size_t rows, columns, inner;
  ProductOperand a, b;
  float* c;
  std::size_t c_stride;
  bool add = false;
  float factor = 1;
};
void multiply(const Product& product);

// y = x w^T, added to what y holds if `add`. x [rows, inputs] with a stride, weight [outputs,
// inputs], y [rows, outputs].
void project(std::size_t rows, std::size_t inputs, std::size_t outputs, const float* x,
             std::size_t x_stride, const float* weight, bool add, float* y);
// grad_x [rows, inputs] with a stride = grad_y w, added to what grad_x holds if `add`.
void project_backward(std::size_t rows, std::size_t inputs, std::size_t outputs,
                      const float* weight, const float* grad_y, bool add, float* grad_x,
                      std::size_t grad_x_stride);
// grad_weight [outputs, inputs] = grad_y^T x, added to what grad_weight holds if `add`.
void project_weight_backward(std::size_t rows, std::size_t inputs, std::size_t outputs,
                             const float* x, std::size_t x_stride, const float* grad_y, bool add,
                             float* grad_weight);

// x, y [rows, dim]; scale [rows] receives 1 / rms, which the backward pass reads.
void rms_norm(std::size_t rows, std::size_t dim, const float* x, const float* weight, float* y,
              float* scale);
void rms_norm_backward(std::size_t rows, std::size_t dim, const float* x, const float* weight,
                       const float* scale, const float* grad_y, float* grad_x, float* grad_weight);

// x, y [rows, channels].
void bias_silu(std::size_t rows, std::size_t channels, const float* x, const float* bias, float* y);
void bias_silu_backward(std::size_t rows, std::size_t channels, const float* x, const float* bias,
                        const float* grad_y, float* grad_x, float* grad_bias);

// y = x + bias.   x, y [rows, channels]
void add_bias(std::size_t rows, std::size_t channels, const float* x, const float* bias, float* y);
// sum [channels] += the rows of x, first to last.
void add_rows(std::size_t rows, std::size_t channels, const float* x, float* sum);

// y[i, :] = x[order[i], :], and y[order[i], :] = x[i, :].   x, y [rows, channels]; order [rows]
void gather_rows(std::size_t rows, std::size_t channels, const float* x, const std::int64_t* order,
                 float* y);
void scatter_rows(std::size_t rows, std::size_t channels, const float* x, const std::int64_t* order,
                  float* y);

// One sequence. u [length, channels] with a stride; weight [4, channels]: short sequences have no
// time to put it together.
void conv_silu(std::size_t length, std::size_t channels, const float* u, std::size_t u_stride,
               const float* weight, const float* bias, float* v);
void conv_silu_backward(std::size_t length, std::size_t channels, const float* u,
                        std::size_t u_stride, const float* weight, const float* bias,
                        const float* grad_v, float* grad_u, std::size_t grad_u_stride,
                        float* grad_weight, float* grad_bias);

// States are kept at the start of every chunk of this many steps, but for the first, where they are
// zero, and recomputed in between.
inline constexpr std::size_t kChunk = 32;
[[nodiscard]] constexpr std::size_t chunks_of(std::size_t length) {
  return (length + kChunk - 1) / kChunk;
}
[[nodiscard]] constexpr std::size_t starts_of(std::size_t length) {
  return chunks_of(length) - 1;
}

// Both scans, one sequence each. Parameters [channels, state] are read in blocks of eight channels,
// [channels / 8][state][8]: to_blocks brings them there, from_blocks back.
void to_blocks(std::size_t channels, const float* rows, float* blocks);
void from_blocks(std::size_t channels, const float* blocks, float* rows);

struct SelectiveScan {
  std::size_t length, channels;
  const float* v;      // [length, channels]
  const float* dt;     // [length, channels], before bias and softplus
  const float *b, *c;  // [length, 16] with bc_stride
  const float* z;      // [length, channels] with z_stride
  std::size_t bc_stride, z_stride;
  const float *dt_bias, *skip;  // [channels]
  const float* a;               // blocks: A = -exp(a_log)
  float* starts;                // [chunks - 1, blocks]: see above; made by forward
};
struct SelectiveScanGradients {
  const float* grad_y;  // [length, channels]
  float *v, *dt;        // [length, channels]
  float* z;             // [length, channels] with z_stride
  float *b, *c;         // [length, 16] with bc_stride
  std::size_t z_stride, bc_stride;
  float *dt_bias, *skip;  // [channels]
  float* a;               // blocks
  float* carry;           // blocks: workspace
};
void selective_scan(const SelectiveScan& in, float* y);
void selective_scan_backward(const SelectiveScan& in, const SelectiveScanGradients& grad);

// With h kept divided by b the recurrence is h = decay * h + v, y = weight.h + skip * v, where
// weight = c * b.
struct LtiScan {
  std::size_t length, channels;
  const float* v;  // [length, channels]
  const float* z;  // [length, channels] with z_stride
  std::size_t z_stride;
  const float *decay, *weight;  // blocks
  const float* skip;            // [channels]
  float* starts;                // [chunks - 1, blocks]
};
struct LtiScanGradients {
  const float* grad_y;  // [length, channels]
  float* v;             // [length, channels]
  float* z;             // [length, channels] with z_stride
  std::size_t z_stride;
  float *decay, *weight;  // blocks
  float* skip;            // [channels]
  float* carry;           // blocks: workspace
};
// decay = exp(A dt), b = (decay - 1) / A; a_log, decay, b [count] = [channels, 16], log_dt
// [channels].
void lti_constants(std::size_t count, const float* a_log, const float* log_dt, float* decay,
                   float* b);
void lti_scan(const LtiScan& in, float* y);
void lti_scan_backward(const LtiScan& in, const LtiScanGradients& grad);

// The masked pointer of one solution (PointerMask in ops.h). Logits exist for kTile steps at a
// time.
struct Pointer {
  std::size_t steps, nodes, customers, dim;
  const float* q;              // [steps, dim]
  const float* k;              // [nodes, dim]
  const float* bias;           // [nodes]
  const std::int64_t* path;    // [steps]
  const float* counted;        // [steps]
  const std::int64_t* order;   // [customers]
  const std::int32_t* served;  // [steps]
  const float* at_depot;       // [steps]; null for the TSP, like rank and fits
  const std::int32_t* rank;    // [nodes]
  const std::int32_t* fits;    // [steps]
};
// log_probs, log_sums [steps].
void pointer_log_probs(const Pointer& in, float* log_probs, float* log_sums);
// grad_q is overwritten, grad_k [nodes, dim] and grad_bias [nodes] are added to.
void pointer_log_probs_backward(const Pointer& in, const float* log_sums, const float* grad,
                                float* grad_q, float* grad_k, float* grad_bias);

struct NeighbourAttention {
  std::size_t tokens, k, heads, width, features;
  const float* qkv;                // [tokens, 3, heads, width]
  const float* edge_bias;          // [tokens, k, heads]
  const std::int64_t* candidates;  // [tokens, k]
  const std::int32_t* count;       // [tokens]
  const float* edges;              // [tokens, k, features]
  float* weights;                  // [tokens, heads, padded k]: the softmax, made by forward
};
// mixed [tokens, heads, width]; edges [tokens, heads, features].
void neighbour_attention(const NeighbourAttention& in, float* mixed, float* edges);
// All of grad_qkv and grad_bias [tokens, k, heads] are overwritten.
void neighbour_attention_backward(const NeighbourAttention& in, const float* grad_mixed,
                                  const float* grad_edges, float* grad_qkv, float* grad_bias);

// log softmax of each row of logits [tokens, k] over its first count[i]; kNoLogProb beyond.
inline constexpr float kNoLogProb = -1e30F;
void candidate_log_probs(std::size_t tokens, std::size_t k, const float* logits,
                         const std::int32_t* count, float* log_probs);

inline constexpr float kLowest = -10.0F, kLogScale = 0.2F;
struct MutualEdges {
  std::size_t tokens, k;
  const float* log_probs;     // [tokens, k]
  const std::int32_t* count;  // [tokens]
  const std::int64_t* back;   // [tokens, k]
};
// y [tokens, k, 4]; grad_logits [tokens, k] is overwritten.
void mutual_features(const MutualEdges& in, float* y);
void mutual_features_backward(const MutualEdges& in, const float* grad_y, float* grad_logits);

// Sum of target * log_probs, both [tokens, k], over what exists; grad_logits is overwritten.
float target_log_likelihood(std::size_t tokens, std::size_t k, const float* log_probs,
                            const float* target, const std::int32_t* count);
void target_log_likelihood_backward(std::size_t tokens, std::size_t k, const float* log_probs,
                                    const float* target, const std::int32_t* count, float grad,
                                    float* grad_logits);

// Weights of the scorer, or their gradients (Float is then not const).
template <class Float>
struct ScorerArrays {
  struct Layer {
    Float *norm, *qkv, *out;  // [width], [3, heads, head width; width], [width, width]
  };
  Float *feature, *bias;  // [width, inputs], [width]
  std::vector<Layer> layers;
  Float *hidden_norm, *hidden, *hidden_bias, *score;  // [width], [width, width], [width], [width]
};
struct EdgeScorer {
  std::size_t tokens, k, inputs, width, heads;
  const float* features;           // [tokens, k, inputs]
  const float *own, *nodes;        // [tokens, width]
  const std::int64_t* candidates;  // [tokens, k]
  const std::int32_t* count;       // [tokens]
  ScorerArrays<const float> weights;
};
struct EdgeScorerGradients {
  const float* scores;  // [tokens, k]
  float* features;      // null if nobody wants it; else zeros
  float *own, *nodes;   // added to
  ScorerArrays<float> weights;
};
// scores [tokens, k].
void edge_scores(const EdgeScorer& in, float* scores);
void edge_scores_backward(const EdgeScorer& in, const EdgeScorerGradients& grad);

}  // namespace eco::train::kernels
