#include "core/infer/flops.h"

#include <algorithm>

#include "core/kernels/ssm.h"
#include "core/model/merge_features.h"

namespace eco {

namespace {

double d(std::size_t value) {
  return static_cast<double>(value);
}

double ffn_flops(const ModelConfig& c) {
  return c.ffn ? 4 * d(c.dim) * d(c.ffn_ratio * c.dim) : 0;
}
// in, convolution, out: what both kinds of Mamba block have.
double block_flops(const ModelConfig& c) {
  return 2 * d(c.inner()) * (3 * d(c.dim) + d(kConv));
}
// Projections, then logits and sums over `seen` tokens.
double attention_flops(std::size_t dim, double seen) {
  return 8 * d(dim) * d(dim) + 4 * seen * d(dim);
}
std::size_t candidates_of(const ModelConfig& c) {
  return c.candidates + (c.depot() ? 1 : 0);
}
// Merging: the link between the ends of a fragment; queries, keys and values, biases of the edges,
// logits and sums over the candidates and their features, and the way out.
double neighbourhood_flops(const ModelConfig& c) {
  const double dim = d(c.dim), near = d(candidates_of(c)), edge = d(edge_feature_width(c.depot()));
  return 2 * dim * dim + 6 * dim * dim + 4 * near * d(c.heads) * edge + 4 * near * dim +
         2 * dim * edge + 2 * dim * dim;
}
// Merging: one pass over the candidates of a token.
double scorer_flops(const ModelConfig& c, std::size_t pass) {
  const double width = d(c.scorer_dim), near = d(candidates_of(c));
  const double inputs = d(edge_feature_width(c.depot()) + (pass > 0 ? 4 : 0));
  return 4 * d(c.dim) * width + near * (2 * width * (inputs + width + 1) +
                                        d(c.scorer_layers) * attention_flops(c.scorer_dim, near));
}

}  // namespace

double encode_flops(const ModelConfig& c, std::size_t tokens) {
  double layer = ffn_flops(c);
  if (c.backbone == Backbone::transformer) {
    layer += attention_flops(c.dim, d(tokens));
  } else {
    layer += block_flops(c) + 2 * d(c.inner()) * (d(2 * c.dt_rank() + 2 * kState)) +
             6 * d(c.inner() * kState);
  }
  double token = 2 * d(c.dim) * d(c.token_features());
  if (c.constructor == ConstructorKind::merging) {
    layer += neighbourhood_flops(c);
    token += 2 * d(c.dim) * d(c.token_features() + c.dim);
    for (std::size_t pass = 0; pass < c.passes; ++pass) token += scorer_flops(c, pass);
  } else if (!c.heavy()) {
    // Keys and biases; a glimpse: first (without a depot), last, key and value of each node too.
    const double more = c.glimpse() ? (c.depot() ? 3 : 4) : 0;
    token += 2 * d(c.dim) * (d(c.dim + 1) + more * d(c.dim));
  }
  return d(tokens) * (token + d(c.encoder_layers) * layer);
}

double decode_step_flops(const ModelConfig& c, std::size_t past) {
  // A glimpse: sums of what the encoder has made. The heavy decoder: score_flops.
  if (c.decoder != DecoderKind::recurrent) return 0;
  double layer = ffn_flops(c);
  if (c.backbone == Backbone::transformer) {
    layer += attention_flops(c.dim, d(past + 1));
  } else {
    layer += block_flops(c) + 4 * d(c.inner() * kState);
  }
  return d(c.decoder_layers) * layer + 2 * d(c.dim) * d(c.dim + c.dynamic_features());
}

double score_flops(const ModelConfig& c, std::size_t count) {
  if (c.heavy()) {  // the two ends, the layers over them and what is open, the logits
    const double tokens = d(count + 2);
    return 4 * d(c.dim) * d(c.dim) +
           tokens * d(c.decoder_layers) * (attention_flops(c.dim, tokens) + ffn_flops(c)) +
           2 * d(count) * d(c.dim) * (c.depot() ? 2 : 1);
  }
  // A glimpse goes over keys and values before the pointer goes over its keys.
  return (c.glimpse() ? 6 : 2) * d(count) * d(c.dim);
}

TourFlops tour_flops(const ModelConfig& c, std::size_t nodes, const DecodeOptions& options) {
  TourFlops result;
  result.encode = encode_flops(c, nodes);
  for (std::size_t step = 0; step < nodes; ++step) {
    const std::size_t open = step == 0 ? 0 : nodes - step;
    result.decode += d(options.samples.value_or(1)) *
                     (decode_step_flops(c, step) +
                      score_flops(c, std::min(options.candidates.value_or(open), open)));
  }
  return result;
}

}  // namespace eco
