#pragma once
// The heavy decoder of LEHD (docs/model.md, section 2): at every step a stack of Transformer layers
// reads the last node, the destination and all nodes that are still open, and gives every open node
// its logits. Nothing is kept from one step to the next.
//
// One HeavyDecoder serves one thread: it owns the scratch.

#include <cstdint>
#include <span>

#include "core/base/aligned_buffer.h"
#include "core/base/deadline.h"
#include "core/model/encoder.h"

namespace eco {

class HeavyDecoder {
 public:
  // For at most `nodes` open nodes at a time. The model must outlive it.
  HeavyDecoder(const PackedModel& model, std::size_t nodes);

  // What the step begins with. h [nodes, dim]: the encoder's output.
  struct Stretch {
    const float* h;
    std::uint32_t last, destination;  // rows of h
    float room;                       // what is left of the capacity; depot only
  };
  // [open, outputs of PackedHeavy::score] of these rows of h, not empty. Empty if the deadline came
  // first. Valid until the next call.
  [[nodiscard]] std::span<const float> score(const Stretch& stretch,
                                             std::span<const std::uint32_t> open,
                                             const Deadline& deadline);

 private:
  const PackedModel& model_;
  Encoder layers_;
  AlignedBuffer<float> tokens_;  // [open + 2, dim]: last, destination, the open nodes
  AlignedBuffer<float> scores_;
};

}  // namespace eco
