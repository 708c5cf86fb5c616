#pragma once
// States of a construction by merging as tensors, packed one after the other, with what every token
// should choose (docs/model.md).

#include <span>
#include <vector>

#include "core/model/merge_input.h"
#include "core/problem/codec.h"
#include "core/tour/solution.h"
#include "train/ops/ops.h"

namespace eco::train {

struct MergeBatch {
  Sequences sequences;
  at::Tensor features;       // [tokens, token features] float
  at::Tensor backward;       // [tokens] long: the tokens of each state in reverse
  at::Tensor hilbert;        // [tokens] long: in Hilbert order
  at::Tensor hilbert_back;   // [tokens] long: in reverse Hilbert order
  at::Tensor other;          // [tokens] long: the other end of the fragment
  at::Tensor candidates;     // [tokens, k] long; 0 where there is none
  at::Tensor back;           // [tokens, k] long; -1: the edge is not in the other's list
  at::Tensor count;          // [tokens] int
  at::Tensor edge_features;  // [tokens, k, edge features] float
  at::Tensor target;         // [tokens, k] float; its sum over k is the weight of the token, or 0
  double weight = 0;         // sum of the target
  at::Tensor difference;     // [tokens, k] float, of append_difference; none without pairs
  double pairs = 0;          // states with a difference

  [[nodiscard]] std::int64_t tokens() const { return features.size(0); }
};

// target, difference [tokens, k]; the latter may be empty.
[[nodiscard]] MergeBatch make_merge_batch(const MergeInput& input, std::span<const float> target,
                                          std::span<const float> difference = {});

// Appends to `target` a row for every token of the newest state of `input`: for an end 1 at the
// partner that is left, for a single a half at each of both, times `weight`; nothing where a
// partner is no candidate. The solution holds every edge of the state.
void append_target(const Fragments& state, const Partners& partners, double weight,
                   const MergeInput& input, std::vector<float>& target);

// The same for a pair: 1 at what the winner still links and -1 at what the loser does, so that 0 is
// left where they agree. Only zeros if there is no pair (nullptr).
void append_difference(const Fragments& state, const Partners& winner, const Partners* loser,
                       const MergeInput& input, std::vector<float>& difference);

}  // namespace eco::train
