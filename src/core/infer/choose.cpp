#include "core/infer/choose.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/kernels/norm.h"

namespace eco {

double log_probability(std::span<const float> logits, std::size_t index) {
  const ExpSum total = exp_sum(logits);
  return double{logits[index]} - total.max - std::log(double{total.sum});
}

Choice Chooser::operator()(std::span<const float> logits, Rng& rng) {
  std::size_t index = 0;
  if (options_.method == Decode::sample) {
    index = draw(logits, rng);
  } else {
    index =
        static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  return {index, log_probability(logits, index)};
}

std::size_t Chooser::draw(std::span<const float> logits, Rng& rng) {
  const float cold = static_cast<float>(1.0 / options_.temperature.value_or(1));
  weights_.assign(logits.begin(), logits.end());
  const std::size_t k = options_.top_k.value_or(logits.size());
  if (k < logits.size()) {
    sorted_ = weights_;
    const auto kth = sorted_.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(sorted_.begin(), kth, sorted_.end(), std::greater<>());
    const float threshold = *kth;
    // Of equal logits at the threshold the first stay.
    auto equals =
        static_cast<std::ptrdiff_t>(k) -
        std::count_if(weights_.begin(), weights_.end(), [&](float w) { return w > threshold; });
    for (float& w : weights_) {
      const bool keep = w > threshold || (w == threshold && equals-- > 0);
      if (!keep) w = -std::numeric_limits<float>::max() / 4;
    }
  }
  for (float& w : weights_) w *= cold;
  exp_in_place(weights_);
  double total = 0;
  for (const float w : weights_) total += w;
  double left = rng.uniform() * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] <= 1e-30F) continue;  // cut off, or too improbable for a float
    last = i;
    left -= weights_[i];
    if (left < 0) break;
  }
  return last;
}

}  // namespace eco
