#pragma once
// On-policy labels: a state that the policy itself has come to, finished by the expert. Expert
// tours never show what to do after a mistake; these do.

#include <cstdint>
#include <span>
#include <vector>

#include "core/infer/decode.h"
#include "train/data/batch.h"

namespace eco::train {

// The states at the encodings of a rollout of the candidate scorer (TSP), in order, with the
// policy's own path from each.
[[nodiscard]] std::vector<Segment> visited_states(const Instance& instance, const Rollout& rollout);

// The same state with the first steps of the expert's way from there as its path: from the current
// end, or, reversed, from the destination (the path of a tour can be built from either). effort:
// iterations, 0: by size.
[[nodiscard]] Segment completed(Segment state, bool reversed, double forced_share,
                                std::uint64_t effort, std::uint64_t seed);

}  // namespace eco::train
