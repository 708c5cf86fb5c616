#include "core/instance/demands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace eco {

namespace {

struct Range {
  std::int64_t low, high;
};

Range range_of(DemandClass demands) {
  switch (demands) {
    case DemandClass::paper:
      return {1, 9};
    case DemandClass::unit:
      return {1, 1};
    case DemandClass::small_wide:
      return {1, 10};
    case DemandClass::small_tight:
      return {5, 10};
    case DemandClass::large_tight:
      return {50, 100};
    case DemandClass::large_wide:
    case DemandClass::quadrant:   // narrowed by place
    case DemandClass::few_large:  // narrowed by lot
      break;
  }
  return {1, 100};
}

Range range_in_quadrant(const Point& p, double side) {
  const bool right = p.x >= side / 2, upper = p.y >= side / 2;
  return right == upper ? Range{51, 100} : Range{1, 50};
}

}  // namespace

std::vector<std::int64_t> draw_demands(Rng& rng, DemandClass demands, std::span<const Point> points,
                                       double side) {
  const double small_share = demands == DemandClass::few_large ? rng.uniform(0.70, 0.95) : 0;
  std::vector<std::int64_t> drawn(points.size(), 0);
  for (std::size_t i = 1; i < points.size(); ++i) {
    Range range = range_of(demands);
    if (demands == DemandClass::quadrant) range = range_in_quadrant(points[i], side);
    if (demands == DemandClass::few_large) {
      range = rng.uniform() < small_share ? Range{1, 10} : Range{50, 100};
    }
    drawn[i] = rng.between(range.low, range.high);
  }
  return drawn;
}

std::int64_t largest_demand(DemandClass demands) {
  return range_of(demands).high;
}

std::int64_t capacity_for(double route_size, std::span<const std::int64_t> demands) {
  const std::int64_t total = std::accumulate(demands.begin(), demands.end(), std::int64_t{0});
  const auto customers = static_cast<double>(demands.size() - 1);
  const double wanted = std::ceil(route_size * static_cast<double>(total) / customers);
  const std::int64_t largest = *std::max_element(demands.begin(), demands.end());
  return std::max(static_cast<std::int64_t>(wanted), largest);
}

double draw_route_size(Rng& rng) {
  constexpr double kLow = 3, kMode = 6, kHigh = 25;
  const double u = rng.uniform();
  const double rising = (kMode - kLow) / (kHigh - kLow);
  if (u < rising) return kLow + std::sqrt(u * (kHigh - kLow) * (kMode - kLow));
  return kHigh - std::sqrt((1 - u) * (kHigh - kLow) * (kHigh - kMode));
}

std::int64_t default_capacity(std::size_t customers) {
  struct Anchor {
    double customers, capacity;
  };
  constexpr std::array<Anchor, 6> kPaper{
      {{20, 30}, {50, 40}, {100, 50}, {200, 80}, {500, 150}, {1000, 250}}};
  const auto n = static_cast<double>(customers);
  if (n <= kPaper.front().customers) return 30;
  for (std::size_t i = 1; i < kPaper.size(); ++i) {
    const Anchor &a = kPaper[i - 1], &b = kPaper[i];
    if (n > b.customers) continue;
    const double share = (n - a.customers) / (b.customers - a.customers);
    return std::llround(a.capacity + share * (b.capacity - a.capacity));
  }
  return 10 * std::llround(25 * std::sqrt(n / 1000));
}

}  // namespace eco
