#pragma once
// Random re-construction: the solution is written down in random order (problem/random_order.h), a
// random part of it is kept, and the policy builds the rest anew from there; what comes of it
// replaces the solution if it is not longer. Used by Engine only.

#include "core/base/deadline.h"
#include "core/infer/pointer.h"

namespace eco {

// So many times, to the solution that task.rollout has. `options` are those of greedy decoding.
// What the deadline interrupts is dropped.
void reconstruct(const PackedModel& model, Decoder& decoder, const PointerTask& task,
                 std::size_t times, const DecodeOptions& options, const Deadline& deadline);

}  // namespace eco
