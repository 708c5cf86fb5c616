#pragma once
// How far costs lie above their references, and how sure a mean of such gaps is.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/statistics.h"

namespace eco {

struct Interval {
  double low = 0, high = 0;
};

struct GapSummary {
  std::size_t count = 0;
  double mean = 0;  // percent
  double median = 0;
  Interval ci95;  // of the mean, by the bootstrap; degenerate for fewer than two gaps
};

// Percentile bootstrap of the mean: resamples drawn with replacement from the gaps, a pure function
// of the seed.
[[nodiscard]] Interval bootstrap_mean_ci95(std::span<const double> values, std::uint64_t seed,
                                           std::size_t resamples = 2000);

[[nodiscard]] GapSummary summarise_gaps(std::span<const double> gaps, std::uint64_t seed = 1234);

}  // namespace eco
