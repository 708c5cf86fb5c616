#include "core/model/candidate_scorer.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/attention.h"
#include "core/kernels/norm.h"
#include "core/kernels/simd.h"
#include "core/model/features.h"

namespace eco {

namespace {

float softplus(float x) {
  return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x)));
}

void rms_norm_rows(std::size_t rows, std::size_t dim, const float* x, const float* weight,
                   float* y) {
  for (std::size_t r = 0; r < rows; ++r) rms_norm(dim, x + r * dim, weight, y + r * dim);
}

}  // namespace

void CandidateScorer::score(std::span<const CandidateSet> sets, const float* s,
                            const EncodedTokens& tokens, std::vector<float>& logits) {
  const PackedCandidateHead& head = *model_.candidate;
  const std::size_t dim = model_.config.dim, width = model_.config.candidate_dim;
  const std::size_t actions = model_.config.actions();
  gather_features(sets);
  x_.resize(rows_ * width);
  normed_.resize(rows_ * width);
  query_.resize(sets.size() * dim);
  state_.resize(sets.size() * width);
  logits.resize(rows_ * actions);

  gemm(sets.size(), s, dim, model_.query, query_.data(), dim);
  gemm(sets.size(), s, dim, head.state, state_.data(), width);
  gemm(rows_, features_.data(), head.feature.inputs(), head.feature, x_.data(), width);
  float* x = x_.data();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const float* state = state_.data() + i * width;
    for (const std::uint32_t row : sets[i].rows) {
      const float* node = tokens.nodes + row * width;
      for (std::size_t c = 0; c < width; c += simd::kLanes, x += simd::kLanes) {
        const simd::F8 sum = simd::load(x) + simd::load(state + c) + simd::load(node + c);
        simd::store(x, simd::max(sum, simd::F8{}));
      }
    }
  }

  for (const PackedCandidateLayer& layer : head.layers) attention(layer, sets);
  rms_norm_rows(rows_, width, x_.data(), head.norm.data(), normed_.data());
  gemm(rows_, normed_.data(), width, head.hidden, x_.data(), width, Epilogue::relu);
  gemm(rows_, x_.data(), width, head.score, logits.data(), actions);

  float* logit = logits.data();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const float slope = softplus(dot(dim, head.distance.data(), s + i * dim) + head.distance_bias);
    for (std::size_t j = 0; j < sets[i].rows.size(); ++j) {
      const std::size_t row = sets[i].rows[j];
      const float shared = dot(dim, query_.data() + i * dim, tokens.keys + row * dim) +
                           tokens.bias[row] - slope * sets[i].distances[j];
      for (std::size_t a = 0; a < actions; ++a) *logit++ += shared;
    }
  }
}

void CandidateScorer::gather_features(std::span<const CandidateSet> sets) {
  rows_ = 0;
  features_.clear();
  for (const CandidateSet& set : sets) {
    rows_ += set.rows.size();
    features_.insert(features_.end(), set.features.begin(), set.features.end());
  }
}

void CandidateScorer::attention(const PackedCandidateLayer& layer,
                                std::span<const CandidateSet> sets) {
  const std::size_t width = model_.config.candidate_dim;
  qkv_.resize(rows_ * 3 * width);
  rms_norm_rows(rows_, width, x_.data(), layer.norm.data(), normed_.data());
  gemm(rows_, normed_.data(), width, layer.qkv, qkv_.data(), 3 * width);
  std::size_t first = 0;
  for (const CandidateSet& set : sets) {
    const std::size_t count = set.rows.size();
    keys_.resize(simd::padded(count) * width);
    scores_.resize(simd::padded(count));
    const float* qkv = qkv_.data() + first * 3 * width;
    for (std::size_t j = 0; j < count; ++j) {
      store_key(j, width, qkv + j * 3 * width + width, keys_.data());
    }
    for (std::size_t j = 0; j < count; ++j) {
      attend(count, width, model_.config.candidate_heads, qkv + j * 3 * width, keys_.data(),
             qkv + 2 * width, 3 * width, scores_.data(), normed_.data() + (first + j) * width);
    }
    first += count;
  }
  gemm(rows_, normed_.data(), width, layer.out, x_.data(), width, Epilogue::add);
}

}  // namespace eco
