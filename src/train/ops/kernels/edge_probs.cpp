// Probabilities of each token's candidates: one row of logits at a time.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

// log softmax of the first `count` of row, which is padded to whole vectors with kNoLogProb.
void log_softmax_row(std::size_t padded, std::size_t count, float* row) {
  if (count == 0) return;
  F8 top = simd::load(row), sum{};
  for (std::size_t a = kLanes; a < padded; a += kLanes) top = simd::max(top, simd::load(row + a));
  const float max = simd::max_lane(top);
  for (std::size_t a = 0; a < padded; a += kLanes) sum += simd::exp(simd::load(row + a) - max);
  const float log_sum = max + std::log(simd::sum(sum));
  for (std::size_t a = 0; a < count; ++a) row[a] -= log_sum;
}

// grad_logits = grad - softmax * sum(grad); grad is 0 from `count` on.
void log_softmax_row_backward(std::size_t k, std::size_t count, const float* log_probs,
                              const float* grad, float* grad_logits) {
  float sum = 0;
  for (std::size_t a = 0; a < count; ++a) sum += grad[a];
  for (std::size_t a = 0; a < count; ++a) {
    grad_logits[a] = grad[a] - std::exp(log_probs[a]) * sum;
  }
  std::memset(grad_logits + count, 0, (k - count) * sizeof(float));
}

}  // namespace

void candidate_log_probs(std::size_t tokens, std::size_t k, const float* logits,
                         const std::int32_t* count, float* log_probs) {
  std::vector<float> row(simd::padded(k));
  for (std::size_t i = 0; i < tokens; ++i, logits += k, log_probs += k) {
    const auto members = static_cast<std::size_t>(count[i]);
    std::memcpy(row.data(), logits, members * sizeof(float));
    for (std::size_t a = members; a < row.size(); ++a) row[a] = kNoLogProb;
    log_softmax_row(row.size(), members, row.data());
    std::memcpy(log_probs, row.data(), k * sizeof(float));
  }
}

void mutual_features(const MutualEdges& in, float* y) {
  for (std::size_t i = 0; i < in.tokens; ++i) {
    const auto members = static_cast<std::size_t>(in.count[i]);
    for (std::size_t a = 0; a < in.k; ++a, y += 4) {
      const std::size_t at = i * in.k + a;
      if (a >= members) {
        std::memset(y, 0, 4 * sizeof(float));
        continue;
      }
      const float own = std::max(in.log_probs[at], kLowest);
      const bool mutual = in.back[at] >= 0;
      const float other = mutual ? std::max(in.log_probs[in.back[at]], kLowest) : kLowest;
      y[0] = kLogScale * own;
      y[1] = kLogScale * other;
      y[2] = std::exp(own);
      y[3] = mutual ? std::exp(other) : 0.0F;
    }
  }
}

void mutual_features_backward(const MutualEdges& in, const float* grad_y, float* grad_logits) {
  std::vector<float> grad(in.tokens * in.k);  // of the log-probabilities, before the bound
  for (std::size_t i = 0; i < in.tokens; ++i) {
    const auto members = static_cast<std::size_t>(in.count[i]);
    for (std::size_t a = 0; a < members; ++a) {
      const std::size_t at = i * in.k + a;
      const float* g = grad_y + 4 * at;
      const auto add = [&](std::size_t to, float linear, float exponential) {
        const float log_prob = in.log_probs[to];
        if (log_prob < kLowest) return;
        grad[to] += kLogScale * linear + std::exp(log_prob) * exponential;
      };
      add(at, g[0], g[2]);
      if (in.back[at] >= 0) add(static_cast<std::size_t>(in.back[at]), g[1], g[3]);
    }
  }
  for (std::size_t i = 0; i < in.tokens; ++i) {
    const std::size_t at = i * in.k;
    log_softmax_row_backward(in.k, static_cast<std::size_t>(in.count[i]), in.log_probs + at,
                             grad.data() + at, grad_logits + at);
  }
}

float target_log_likelihood(std::size_t tokens, std::size_t k, const float* log_probs,
                            const float* target, const std::int32_t* count) {
  double sum = 0;  // over thousands of tokens
  for (std::size_t i = 0; i < tokens; ++i, log_probs += k, target += k) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(count[i]); ++a) {
      sum += double{target[a]} * double{log_probs[a]};
    }
  }
  return static_cast<float>(sum);
}

void target_log_likelihood_backward(std::size_t tokens, std::size_t k, const float* log_probs,
                                    const float* target, const std::int32_t* count, float grad,
                                    float* grad_logits) {
  std::vector<float> scaled(k);
  for (std::size_t i = 0; i < tokens; ++i, log_probs += k, target += k, grad_logits += k) {
    for (std::size_t a = 0; a < k; ++a) scaled[a] = grad * target[a];
    log_softmax_row_backward(k, static_cast<std::size_t>(count[i]), log_probs, scaled.data(),
                             grad_logits);
  }
}

}  // namespace eco::train::kernels
