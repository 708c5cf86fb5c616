#pragma once
// On-policy labels: states that the policy itself has come to, finished by the expert. Expert
// solutions never show what to do after a mistake; these do.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/infer/decode.h"
#include "train/data/batch.h"

namespace eco::train {

struct CompletionOptions {
  double forced_share = 0.2;  // of the steps from a state that are learned
  std::uint64_t effort = 0;   // expert iterations; 0: by size
  std::size_t experts = 0;    // CVRP: most expert solutions a rollout; 0: one a state
  std::size_t window = 0;     // TSP: the model's
};

// The states at the encodings of a tour of the candidate scorer, in order, with the policy's own
// path from each.
[[nodiscard]] std::vector<Segment> visited_states(const Instance& instance, const Rollout& rollout);

// A state of a tour with the first steps of the expert's way from there as its path: from the
// current end, or, reversed, from the destination (a tour can be built from either).
[[nodiscard]] Segment completed_tour(Segment state, bool reversed, const CompletionOptions& options,
                                     std::uint64_t seed);

// The states of a plan after `chosen` customers (ascending). The expert plans anew what was open
// when the route under way there began, and the vehicle goes on from there; with fewer experts than
// states, later ones continue an earlier plan.
[[nodiscard]] std::vector<Segment> completed_plan(const Instance& instance, const Rollout& rollout,
                                                  std::span<const std::size_t> chosen,
                                                  const CompletionOptions& options, Rng& rng);

// Either, for the states at `chosen`: encodings of a tour, or numbers of customers of a plan.
[[nodiscard]] std::vector<Segment> completions(const Instance& instance, const Rollout& rollout,
                                               std::span<const std::size_t> chosen,
                                               const CompletionOptions& options, Rng& rng);

}  // namespace eco::train
