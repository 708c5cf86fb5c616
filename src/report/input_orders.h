#pragma once
// How much a result depends on the order in which an instance lists its nodes: the paper's table
// "Sensitivity to input node order". Every instance is solved in several random orders; what the
// table reports is the mean gap of each order, and how these means differ. The spread of a single
// instance is another thing and far larger, since the means average it out.

#include <optional>
#include <span>
#include <vector>

namespace eco {

struct OrderSensitivity {
  std::vector<double> costs;  // [orders] mean over the instances
  std::vector<double> gaps;   // [orders] mean over those with a reference, percent; none: empty
  double mean_cost = 0, cost_deviation = 0;  // over the orders
  double mean_gap = 0, gap_deviation = 0;    // over the orders: percent, points

  // Deviation of one instance's cost over the orders, in percent of its mean: mean over the
  // instances, and the largest.
  double instance_deviation = 0, largest_instance_deviation = 0;
};

// costs[order][instance]; one reference an instance. At least two orders and one instance.
[[nodiscard]] OrderSensitivity order_sensitivity(std::span<const std::vector<double>> costs,
                                                 std::span<const std::optional<double>> references);

}  // namespace eco
