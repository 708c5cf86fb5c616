#include "core/model/merge_network.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/attention.h"
#include "core/kernels/norm.h"
#include "core/kernels/row_attention.h"
#include "core/kernels/simd.h"

namespace eco {

namespace {

constexpr std::size_t kTokensAtOnce = Encoder::kChunk;
constexpr std::size_t kScoredAtOnce = 16;  // tokens whose candidates are the rows of a product
constexpr float kLeast = -10.0F;           // log-probability that the second pass sees at least

}  // namespace

MergeNetwork::MergeNetwork(const PackedModel& model)
    : model_(model),
      encoder_(model),
      rows_(kTokensAtOnce * model.config.dim),
      mixed_(kTokensAtOnce * model.config.dim) {}

bool MergeNetwork::run(const MergeInput& input, std::vector<float>& log_probabilities,
                       const Deadline& deadline) {
  if (!encode(input, deadline)) return false;
  for (std::size_t pass = 0; pass < model_.scorers.size(); ++pass) {
    if (deadline.reached()) return false;
    if (pass > 0) normalise(input, first_);
    score(pass, input);
  }
  normalise(input, log_probabilities);
  return true;
}

bool MergeNetwork::encode(const MergeInput& input, const Deadline& deadline) {
  const std::size_t tokens = input.tokens(), dim = model_.config.dim;
  sequences_.clear();
  for (std::size_t i = 0; i < input.states(); ++i) {
    const std::size_t first = input.first[i], length = input.first[i + 1] - first;
    sequences_.push_back({first, length, std::span(input.hilbert).subspan(first, length)});
  }
  h_.resize(tokens * dim);
  wide_.resize(tokens * 3 * dim);
  if (!encoder_.embed(input.features, tokens, h_.data(), deadline)) return false;
  const std::size_t edges = tokens * input.width, biases = model_.near_bias.outputs();
  biases_.resize(edges * biases);
  gemm(edges, input.edge_features.data(), model_.near_bias.inputs(), model_.near_bias,
       biases_.data(), biases);
  for (std::size_t l = 0; l < model_.encoder.layers.size(); ++l) {
    const PackedLayer& layer = model_.encoder.layers[l];
    link_ends(*layer.neighbourhood, input);
    if (!encoder_.mix(layer, sequences_, l % 4, h_.data(), deadline)) return false;
    attend_candidates(l, input);
    if (deadline.reached()) return false;
  }
  rms_norm_rows(tokens, dim, h_.data(), model_.encoder.norm.data(), h_.data());
  return true;
}

void MergeNetwork::link_ends(const PackedNeighbourhood& layer, const MergeInput& input) {
  const std::size_t tokens = input.tokens(), dim = model_.config.dim;
  rms_norm_rows(tokens, dim, h_.data(), layer.link_norm.data(), wide_.data());
  for (std::size_t first = 0; first < tokens; first += kTokensAtOnce) {
    const std::size_t rows = std::min(kTokensAtOnce, tokens - first);
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(wide_.data() + input.other[first + r] * dim, dim, rows_.data() + r * dim);
    }
    gemm(rows, rows_.data(), dim, layer.link, h_.data() + first * dim, dim, Epilogue::add);
  }
}

void MergeNetwork::attend_candidates(std::size_t number, const MergeInput& input) {
  const PackedNeighbourhood& layer = *model_.encoder.layers[number].neighbourhood;
  const std::size_t tokens = input.tokens(), dim = model_.config.dim, k = input.width;
  const std::size_t heads = model_.config.heads, width = dim / heads,
                    features = model_.near_bias.inputs(), biases = model_.near_bias.outputs();
  for (std::size_t first = 0; first < tokens; first += kTokensAtOnce) {
    const std::size_t rows = std::min(kTokensAtOnce, tokens - first);
    rms_norm_rows(rows, dim, h_.data() + first * dim, layer.norm.data(), rows_.data());
    gemm(rows, rows_.data(), dim, layer.qkv, wide_.data() + first * 3 * dim, 3 * dim);
  }
  x_.resize(kTokensAtOnce * heads * features);
  std::vector<float> weights(simd::padded(k * heads, 16));
  for (std::size_t first = 0; first < tokens; first += kTokensAtOnce) {
    const std::size_t rows = std::min(kTokensAtOnce, tokens - first);
    const float* edges = input.edge_features.data() + first * k * features;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t token = first + r, count = input.count[token];
      float* mixed = mixed_.data() + r * dim;
      float* summed = x_.data() + r * heads * features;
      if (count == 0) {
        std::fill_n(summed, heads * features, 0.0F);
        std::fill_n(mixed, dim, 0.0F);
        continue;
      }
      attend_rows(std::span(input.candidates).subspan(token * k, count), heads, width,
                  wide_.data() + token * 3 * dim, wide_.data() + dim, wide_.data() + 2 * dim,
                  3 * dim, biases_.data() + token * k * biases + number * heads, biases,
                  weights.data(), mixed);
      sum_by_head(count, heads, weights.data(), edges + r * k * features, features, summed);
    }
    for (std::size_t head = 0; head < heads; ++head) {
      gemm(rows, x_.data() + head * features, heads * features, layer.edge[head],
           mixed_.data() + head * width, dim, Epilogue::add);
    }
    for (std::size_t i = 0; i < rows * dim; ++i) mixed_[i] = std::max(mixed_[i], 0.0F);
    gemm(rows, mixed_.data(), dim, layer.out, h_.data() + first * dim, dim, Epilogue::add);
  }
}

void MergeNetwork::score(std::size_t pass, const MergeInput& input) {
  const PackedEdgeScorer& scorer = model_.scorers[pass];
  const std::size_t tokens = input.tokens(), dim = model_.config.dim;
  const std::size_t width = model_.config.scorer_dim;
  self_.resize(tokens * width);
  node_.resize(tokens * width);
  for (std::size_t first = 0; first < tokens; first += kTokensAtOnce) {
    const std::size_t rows = std::min(kTokensAtOnce, tokens - first);
    const float* h = h_.data() + first * dim;
    gemm(rows, h, dim, scorer.self, self_.data() + first * width, width);
    gemm(rows, h, dim, scorer.node, node_.data() + first * width, width);
  }
  if (pass == 0) logits_.assign(tokens * input.width, 0.0F);
  for (std::size_t first = 0; first < tokens; first += kScoredAtOnce) {
    score_rows(scorer, input, first, std::min(first + kScoredAtOnce, tokens));
  }
}

void MergeNetwork::score_rows(const PackedEdgeScorer& scorer, const MergeInput& input,
                              std::size_t begin, std::size_t end) {
  const std::size_t k = input.width, width = model_.config.scorer_dim;
  const std::size_t edge = edge_feature_width(input.depot), inputs = scorer.feature.inputs();
  std::size_t rows = 0;
  for (std::size_t token = begin; token < end; ++token) rows += input.count[token];
  if (rows == 0) return;
  features_.resize(rows * inputs);
  x_.resize(rows * width);
  normed_.resize(rows * width);
  float* to = features_.data();
  for (std::size_t token = begin; token < end; ++token) {
    for (std::size_t a = 0; a < input.count[token]; ++a, to += inputs) {
      const std::size_t place = token * k + a;
      std::copy_n(input.edge_features.data() + place * edge, edge, to);
      if (inputs == edge) continue;
      const std::uint32_t back = input.back[place];
      const float own = std::max(first_[place], kLeast);
      const float other = back == MergeInput::kNone ? kLeast : std::max(first_[back], kLeast);
      to[edge] = 0.2F * own;
      to[edge + 1] = 0.2F * other;
      to[edge + 2] = std::exp(own);
      to[edge + 3] = back == MergeInput::kNone ? 0.0F : std::exp(other);
    }
  }
  gemm(rows, features_.data(), inputs, scorer.feature, x_.data(), width);
  float* x = x_.data();
  for (std::size_t token = begin; token < end; ++token) {
    const float* self = self_.data() + token * width;
    for (std::size_t a = 0; a < input.count[token]; ++a) {
      const float* node = node_.data() + input.candidates[token * k + a] * width;
      for (std::size_t c = 0; c < width; c += simd::kLanes, x += simd::kLanes) {
        const simd::F8 sum = simd::load(x) + simd::load(self + c) + simd::load(node + c);
        simd::store(x, simd::max(sum, simd::F8{}));
      }
    }
  }
  for (const PackedScorerLayer& layer : scorer.layers) attend_within(layer, input, begin, end);
  rms_norm_rows(rows, width, x_.data(), scorer.norm.data(), normed_.data());
  gemm(rows, normed_.data(), width, scorer.hidden, x_.data(), width, Epilogue::relu);
  x = x_.data();
  for (std::size_t token = begin; token < end; ++token) {
    const std::size_t count = input.count[token];
    add_dots(count, width, x, scorer.score.data(), logits_.data() + token * k);
    x += count * width;
  }
}

void MergeNetwork::attend_within(const PackedScorerLayer& layer, const MergeInput& input,
                                 std::size_t begin, std::size_t end) {
  const std::size_t width = model_.config.scorer_dim, rows = x_.size() / width;
  qkv_.resize(rows * 3 * width);
  rms_norm_rows(rows, width, x_.data(), layer.norm.data(), normed_.data());
  gemm(rows, normed_.data(), width, layer.qkv, qkv_.data(), 3 * width);
  std::size_t first = 0;
  for (std::size_t token = begin; token < end; ++token) {
    const std::size_t count = input.count[token];
    if (count == 0) continue;
    keys_.resize(simd::padded(count) * width);
    scores_.resize(attend_scratch(count));
    const float* qkv = qkv_.data() + first * 3 * width;
    for (std::size_t a = 0; a < count; ++a) {
      store_key(a, width, qkv + a * 3 * width + width, keys_.data());
    }
    attend(count, {count, width, keys_.data(), qkv + 2 * width, 3 * width},
           model_.config.scorer_heads, qkv, 3 * width, scores_.data(),
           normed_.data() + first * width, width);
    first += count;
  }
  gemm(rows, normed_.data(), width, layer.out, x_.data(), width, Epilogue::add);
}

void MergeNetwork::normalise(const MergeInput& input, std::vector<float>& log_probabilities) const {
  const std::size_t k = input.width;
  log_probabilities.resize(logits_.size());
  for (std::size_t token = 0; token < input.tokens(); ++token) {
    const auto logits = std::span(logits_).subspan(token * k, input.count[token]);
    if (logits.empty()) continue;
    const ExpSum sum = exp_sum(logits);
    const float total = sum.max + std::log(sum.sum);
    for (std::size_t a = 0; a < logits.size(); ++a) {
      log_probabilities[token * k + a] = logits[a] - total;
    }
  }
}

}  // namespace eco
