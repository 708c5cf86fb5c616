#pragma once
// Useful floating-point operations of the model, for `eco bench`: what docs/model.md asks for and
// no more. A multiply-add is 2, padding and visited nodes are nothing, an element-wise function is
// nothing, one step of a recurrence is 6 (S6, with its exponential as one) or 4 (S4) per state.

#include <cstddef>

#include "core/infer/decode.h"
#include "core/model/config.h"

namespace eco {

// One pass over a sequence of `tokens` tokens, with the keys (sequential) or the scores of all
// candidates (merging; as if every token had as many as it may).
[[nodiscard]] double encode_flops(const ModelConfig& config, std::size_t tokens);

// Sequential: one decoder step after `past` others, with the query.
[[nodiscard]] double decode_step_flops(const ModelConfig& config, std::size_t past);

// Sequential: scores of `count` nodes.
[[nodiscard]] double score_flops(const ModelConfig& config, std::size_t count);

struct TourFlops {
  double encode = 0, decode = 0;
  [[nodiscard]] double total() const { return encode + decode; }
};
// Sequential: all of a TSP tour.
[[nodiscard]] TourFlops tour_flops(const ModelConfig& config, std::size_t nodes,
                                   const DecodeOptions& options);

}  // namespace eco
