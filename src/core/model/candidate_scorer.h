#pragma once
// Logits of the candidate scorer (docs/model.md, section 3) for many rollouts at once: the
// candidates of all rollouts are the rows of the same GEMMs; each attends only to those of its own
// rollout. One CandidateScorer serves one thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/packed.h"

namespace eco {

// The candidates of one rollout at one step.
struct CandidateSet {
  std::span<const std::uint32_t> rows;  // [k] token rows in h, keys, nodes, bias
  std::span<const float> features;      // [k, candidate features]
  std::span<const float> distances;     // [k] sqrt(L) dist(cur, j)
};

// What is computed once per encoding, a row a token.
struct EncodedTokens {
  const float* keys;   // [tokens, dim]   key h_j
  const float* nodes;  // [tokens, candidate_dim]   cand_node h_j
  const float* bias;   // [tokens]   node_bias . h_j
};

class CandidateScorer {
 public:
  explicit CandidateScorer(const PackedModel& model) : model_(model) {}

  // s [sets.size(), dim]: decoder outputs. logits: the sets one after the other, [k, actions] each.
  void score(std::span<const CandidateSet> sets, const float* s, const EncodedTokens& tokens,
             std::vector<float>& logits);

 private:
  void gather_features(std::span<const CandidateSet> sets);
  void attention(const PackedCandidateLayer& layer, std::span<const CandidateSet> sets);

  const PackedModel& model_;
  std::size_t rows_ = 0;  // candidates of all sets
  std::vector<float> features_, x_, normed_, qkv_, keys_, scores_, query_, state_;
};

}  // namespace eco
