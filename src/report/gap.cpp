#include "report/gap.h"

#include <algorithm>
#include <vector>

#include "core/base/rng.h"

namespace eco {

Interval bootstrap_mean_ci95(std::span<const double> values, std::uint64_t seed,
                             std::size_t resamples) {
  if (values.empty()) return {};
  if (values.size() == 1) return {values[0], values[0]};
  Rng rng(seed);
  std::vector<double> means(resamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[rng.below(static_cast<std::uint32_t>(values.size()))];
    }
    mean = sum / static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  return {quantile(means, 0.025), quantile(means, 0.975)};
}

GapSummary summarise_gaps(std::span<const double> gaps, std::uint64_t seed) {
  GapSummary summary;
  summary.count = gaps.size();
  if (gaps.empty()) return summary;
  std::vector<double> sorted(gaps.begin(), gaps.end());
  std::sort(sorted.begin(), sorted.end());
  summary.mean = mean_of(gaps);
  summary.median = quantile(sorted, 0.5);
  summary.ci95 = bootstrap_mean_ci95(gaps, seed);
  return summary;
}

}  // namespace eco
