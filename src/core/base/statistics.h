#pragma once
// Numbers that sum up others.

#include <span>

namespace eco {

// Percent above the reference; 0 if both are equal, also both 0.
[[nodiscard]] double gap_percent(double cost, double reference);

// None of an empty list. The deviation is that of a sample (n - 1), and 0 of a single value.
[[nodiscard]] double mean_of(std::span<const double> values);
[[nodiscard]] double deviation_of(std::span<const double> values);
// Linear between the two nearest ranks.
[[nodiscard]] double quantile(std::span<const double> sorted, double share);

// P(T > t) of Student's distribution with so many degrees of freedom, at least one.
[[nodiscard]] double student_tail(double t, double freedom);
// One-sided paired t-test: how probable it is that `lower` is below `higher` by at least as much as
// it is, on average over the pairs, if in truth both are level. At least two pairs.
[[nodiscard]] double paired_t_test(std::span<const double> lower, std::span<const double> higher);

}  // namespace eco
