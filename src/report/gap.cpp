#include "report/gap.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/rng.h"

namespace eco {

namespace {

// Linear between order statistics.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double gap_percent(double cost, double reference) {
  if (cost == reference) return 0;
  return 100.0 * (cost - reference) / reference;
}

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
  summary.best = sorted.front();
  summary.worst = sorted.back();
  summary.ci95 = bootstrap_mean_ci95(gaps, seed);
  return summary;
}

}  // namespace eco
