#pragma once
// Preferences between two ways on from one state of merging. The log-probability of a way on is the
// sum of log p_i(j), from both ends, over the links that it still makes among the candidates of the
// state, so that of the difference only the links remain in which the two differ.

#include <vector>

#include "train/data/merge_batch.h"
#include "train/loss/preference.h"

namespace eco::train {

// Of each state of a batch with differences: log p(winner) - log p(loser), and the number of links
// in which they differ (0: there is no pair).   log_probs [tokens, k]
struct PairRatio {
  double ratio = 0;
  double links = 0;
};
[[nodiscard]] std::vector<PairRatio> pair_ratios(const at::Tensor& log_probs,
                                                 const MergeBatch& batch);

// The loss of a batch, summed over its pairs, and what is logged of it.
struct MergePreference {
  double loss = 0;
  double pairs = 0, accurate = 0, margin = 0;  // implicit ones
  // [tokens, k]: the derivative of the loss by each log-probability. Its product with the
  // log-probabilities has the gradient of the loss.
  at::Tensor slope;
};
// reference: the ratios under the reference policy, if the loss has one.
[[nodiscard]] MergePreference merge_preference(const MarginLoss& loss, bool length_normalised,
                                               const MergeBatch& batch,
                                               const std::vector<PairRatio>& now,
                                               const std::vector<PairRatio>& reference);

}  // namespace eco::train
