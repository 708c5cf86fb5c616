#include "train/loss/merge_preference.h"

#include <cmath>

namespace eco::train {

std::vector<PairRatio> pair_ratios(const at::Tensor& log_probs, const MergeBatch& batch) {
  const std::int64_t k = log_probs.size(1);
  const float* probs = log_probs.data_ptr<float>();
  const float* difference = batch.difference.data_ptr<float>();
  const auto& first = batch.sequences.first;
  std::vector<PairRatio> ratios(first.size() - 1);
  for (std::size_t state = 0; state < ratios.size(); ++state) {
    for (std::int64_t at = first[state] * k; at < first[state + 1] * k; ++at) {
      if (difference[at] == 0) continue;
      ratios[state].ratio += static_cast<double>(difference[at]) * probs[at];
      ratios[state].links += 0.5 * std::abs(difference[at]);
    }
  }
  return ratios;
}

MergePreference merge_preference(const MarginLoss& loss, bool length_normalised,
                                 const MergeBatch& batch, const std::vector<PairRatio>& now,
                                 const std::vector<PairRatio>& reference) {
  const std::int64_t k = batch.difference.size(1);
  const auto& first = batch.sequences.first;
  MergePreference result;
  result.slope = at::zeros_like(batch.difference);
  float* slope = result.slope.data_ptr<float>();
  const float* difference = batch.difference.data_ptr<float>();
  for (std::size_t state = 0; state < now.size(); ++state) {
    if (now[state].links == 0) continue;
    const double unit = (length_normalised ? 1 / now[state].links : 1) * loss.scale();
    const double base = loss.has_reference() ? reference[state].ratio : 0;
    const double margin = unit * (now[state].ratio - base);
    const MarginLoss::Value at_margin = loss.at(margin);
    result.loss += at_margin.loss;
    result.pairs += 1;
    result.accurate += margin > 0 ? 1 : 0;
    result.margin += margin;
    for (std::int64_t at = first[state] * k; at < first[state + 1] * k; ++at) {
      slope[at] = static_cast<float>(unit * at_margin.slope) * difference[at];
    }
  }
  return result;
}

}  // namespace eco::train
