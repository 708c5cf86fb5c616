#include "train/loss/merge_preference.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace eco::train {

namespace {

struct LossAndSlope {
  double loss, slope;
};

// By the argument of the loss, which grows with the winner's share.
LossAndSlope of_margin(const DpoConfig& dpo, double margin) {
  switch (dpo.objective) {
    case Objective::dpo:
    case Objective::logistic: {
      const double rest = margin > 0 ? std::exp(-margin) / (1 + std::exp(-margin))
                                     : 1 / (1 + std::exp(margin));  // 1 - sigmoid(margin)
      return {std::log1p(std::exp(-std::abs(margin))) + std::max(-margin, 0.0), -rest};
    }
    case Objective::hinge:
      return margin < dpo.margin ? LossAndSlope{dpo.margin - margin, -1} : LossAndSlope{0, 0};
    default:
      throw Error(ErrorKind::usage, "an objective without pairs");
  }
}

}  // namespace

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

MergePreference merge_preference(const DpoConfig& dpo, const MergeBatch& batch,
                                 const std::vector<PairRatio>& now,
                                 const std::vector<PairRatio>& reference) {
  const bool has_reference = dpo.objective == Objective::dpo;
  const std::int64_t k = batch.difference.size(1);
  const auto& first = batch.sequences.first;
  MergePreference result;
  result.slope = at::zeros_like(batch.difference);
  float* slope = result.slope.data_ptr<float>();
  const float* difference = batch.difference.data_ptr<float>();
  for (std::size_t state = 0; state < now.size(); ++state) {
    if (now[state].links == 0) continue;
    double unit = dpo.length_normalised ? 1 / now[state].links : 1;
    if (has_reference) unit *= dpo.beta;
    const double base = has_reference ? reference[state].ratio : 0;
    const double margin = unit * (now[state].ratio - base);
    const LossAndSlope at_margin = of_margin(dpo, margin);
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
