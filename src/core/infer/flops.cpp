#include "core/infer/flops.h"

#include <algorithm>

#include "core/model/features.h"

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
  return 2 * d(c.inner()) * (3 * d(c.dim) + d(c.conv));
}
// Projections, then logits and sums over `seen` tokens.
double attention_flops(std::size_t dim, double seen) {
  return 8 * d(dim) * d(dim) + 4 * seen * d(dim);
}

}  // namespace

double encode_flops(const ModelConfig& c, std::size_t tokens) {
  double layer = ffn_flops(c);
  if (c.backbone == Backbone::transformer) {
    layer += attention_flops(c.dim, d(tokens));
  } else {
    layer += block_flops(c) + 2 * d(c.inner()) * (d(2 * c.dt_rank() + 2 * c.state)) +
             6 * d(c.inner() * c.state);
  }
  double token = d(c.encoder_layers) * layer + 2 * d(c.dim) * d(c.token_features() + c.dim + 1);
  if (c.scorer == Scorer::candidate) {
    token += 2 * d(c.dim) * d(c.token_features() + c.dim + c.candidate_dim);
  }
  return d(tokens) * token;
}

double decode_step_flops(const ModelConfig& c, std::size_t past) {
  double layer = ffn_flops(c);
  if (c.backbone == Backbone::transformer) {
    layer += attention_flops(c.dim, d(past + 1));
  } else {
    layer += block_flops(c) + 4 * d(c.inner() * c.state);
  }
  return d(c.decoder_layers) * layer + 2 * d(c.dim) * d(c.dim + c.dynamic_features());
}

double score_flops(const ModelConfig& c, std::size_t count) {
  const double pointer = 2 * d(count) * d(c.dim);
  if (c.scorer == Scorer::pointer) return pointer;
  const std::size_t width = c.candidate_dim;
  const double candidate =
      2 * d(width) * d(candidate_feature_count(c.problem) + width + c.actions()) +
      d(c.candidate_layers) * attention_flops(width, d(count));
  return pointer + d(count) * candidate + 2 * d(c.dim) * d(width + 1);
}

TourFlops tour_flops(const ModelConfig& c, std::size_t nodes, const DecodeOptions& options) {
  TourFlops result;
  if (c.scorer == Scorer::pointer) {
    result.encode = encode_flops(c, nodes);
    for (std::size_t step = 0; step < nodes; ++step) {
      const std::size_t open = step == 0 ? 0 : nodes - step;
      result.decode +=
          d(options.samples) *
          (decode_step_flops(c, step) +
           score_flops(c, options.candidates > 0 ? std::min(options.candidates, open) : open));
    }
    return result;
  }
  for (std::size_t unvisited = nodes - 1; unvisited > 0;) {
    const std::size_t ends = unvisited == nodes - 1 ? 1 : options.ends;
    const std::size_t seen = std::min(unvisited, options.window);
    const std::size_t steps = segment_steps(options.reencode, seen);
    const double walks = d(options.samples) * d(ends);
    result.encode += walks * encode_flops(c, seen + 2);
    for (std::size_t step = 0; step < steps; ++step) {
      result.decode += walks * (decode_step_flops(c, step) +
                                score_flops(c, std::min(options.candidates, seen - step)));
    }
    unvisited -= steps;
  }
  return result;
}

}  // namespace eco
