#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace eco {

double gap_percent(double cost, double reference) {
  if (cost == reference) return 0;
  return 100.0 * (cost - reference) / reference;
}

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

double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

namespace {

// The continued fraction of the incomplete beta function (Lentz's method), for x below the mean.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kPrecision = 1e-15;
  const auto nonzero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), result = d;
  for (int i = 1; i < 1000; ++i) {
    const double m = i;
    double step = 0;
    for (const double term : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                              -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 / nonzero(1 + term * d);
      c = nonzero(1 + term / c);
      step = c * d;
      result *= step;
    }
    if (std::abs(step - 1) < kPrecision) break;
  }
  return result;
}

// I_x(a, b), the regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_tail(double t, double freedom) {
  const double both = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
  return t > 0 ? both / 2 : 1 - both / 2;
}

double paired_t_test(std::span<const double> lower, std::span<const double> higher) {
  std::vector<double> differences;
  differences.reserve(lower.size());
  for (std::size_t i = 0; i < lower.size(); ++i) differences.push_back(higher[i] - lower[i]);
  const double mean = mean_of(differences), deviation = deviation_of(differences);
  const auto count = static_cast<double>(differences.size());
  if (deviation == 0) return mean > 0 ? 0 : 1;
  return student_tail(mean / (deviation / std::sqrt(count)), count - 1);
}

}  // namespace eco
