#pragma once
// The network of a construction by merging (docs/model.md): tokens of many states in, for every
// token the log-probability of each of its candidates out. Tokens are rows of the same products,
// taken in chunks that stay in cache. One MergeNetwork serves one thread.

#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/model/encoder.h"
#include "core/model/merge_input.h"
#include "core/model/packed.h"

namespace eco {

class MergeNetwork {
 public:
  explicit MergeNetwork(const PackedModel& model);

  // log_probabilities [tokens, k]; meaningless from `count` on. False if the deadline came first.
  bool run(const MergeInput& input, std::vector<float>& log_probabilities,
           const Deadline& deadline = {});

 private:
  bool encode(const MergeInput& input, const Deadline& deadline);
  void link_ends(const PackedNeighbourhood& layer, const MergeInput& input);
  void attend_candidates(std::size_t layer, const MergeInput& input);
  void score(std::size_t pass, const MergeInput& input);
  void score_rows(const PackedEdgeScorer& scorer, const MergeInput& input, std::size_t begin,
                  std::size_t end);
  void attend_within(const PackedScorerLayer& layer, const MergeInput& input, std::size_t begin,
                     std::size_t end);
  void normalise(const MergeInput& input, std::vector<float>& log_probabilities) const;

  const PackedModel& model_;
  Encoder encoder_;
  std::vector<TokenSequence> sequences_;
  AlignedVector<float> h_;            // [tokens, dim]
  AlignedVector<float> wide_;         // [tokens, 3 dim]: what a layer needs of all tokens at once
  AlignedVector<float> self_, node_;  // [tokens, scorer width]
  AlignedVector<float> biases_;       // [tokens, k, layers, heads]: what edges add to the attention
  std::vector<float> logits_, first_;  // [tokens, k]; log-probabilities after the first pass
  AlignedBuffer<float> rows_, mixed_;  // a chunk of tokens
  AlignedVector<float> features_, x_, normed_, qkv_, keys_, scores_;  // a chunk of candidates
};

}  // namespace eco
