#include "report/input_orders.h"

#include <algorithm>
#include <cassert>

#include "report/gap.h"

namespace eco {

namespace {

double mean_gap_of(const std::vector<double>& costs,
                   std::span<const std::optional<double>> references) {
  std::vector<double> gaps;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (references[i]) gaps.push_back(gap_percent(costs[i], *references[i]));
  }
  return mean_of(gaps);
}

}  // namespace

OrderSensitivity order_sensitivity(std::span<const std::vector<double>> costs,
                                   std::span<const std::optional<double>> references) {
  assert(costs.size() >= 2 && !references.empty());
  OrderSensitivity result;
  const bool gaps = std::any_of(references.begin(), references.end(),
                                [](const auto& reference) { return reference.has_value(); });
  for (const std::vector<double>& of_order : costs) {
    result.costs.push_back(mean_of(of_order));
    if (gaps) result.gaps.push_back(mean_gap_of(of_order, references));
  }
  result.mean_cost = mean_of(result.costs);
  result.cost_deviation = deviation_of(result.costs);
  if (gaps) {
    result.mean_gap = mean_of(result.gaps);
    result.gap_deviation = deviation_of(result.gaps);
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    std::vector<double> of_instance;
    for (const std::vector<double>& of_order : costs) of_instance.push_back(of_order[i]);
    const double mean = mean_of(of_instance);
    const double percent = mean > 0 ? 100 * deviation_of(of_instance) / mean : 0;
    result.instance_deviation += percent / static_cast<double>(references.size());
    result.largest_instance_deviation = std::max(result.largest_instance_deviation, percent);
  }
  return result;
}

}  // namespace eco
