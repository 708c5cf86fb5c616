#pragma once
// Beam search with the sequential constructor: the `width` most probable partial solutions of an
// instance are kept at every step. Used by Engine only.

#include <span>

#include "core/base/deadline.h"
#include "core/infer/pointer.h"

namespace eco {

// rollouts.size() is the width; they come out most probable first.
void decode_beam(const PackedModel& model, Decoder& decoder, const PointerEncoding::View& encoded,
                 const DecodeOptions& options, const Deadline& deadline,
                 std::span<Rollout> rollouts);

}  // namespace eco
