#include "eco/input_orders.h"

#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/table.h"

namespace eco::cli {

Instance permuted(const Instance& instance, Rng& rng) {
  std::vector<std::size_t> order(instance.size());  // order[i]: the old index of node i
  std::iota(order.begin(), order.end(), 0);
  const std::size_t fixed = instance.has_depot() ? 1 : 0;
  rng.shuffle(std::span(order).subspan(fixed));
  Instance result = instance;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (instance.start == NodeId(order[i])) result.start = NodeId(i);
    if (instance.end == NodeId(order[i])) result.end = NodeId(i);
  }
  result.reference.reset();
  result.labels.clear();
  result.names.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.points[i] = instance.points[order[i]];
    if (!instance.places.empty()) result.places[i] = instance.places[order[i]];
    if (!instance.demands.empty()) result.demands[i] = instance.demands[order[i]];
    for (std::size_t j = 0; j < (instance.matrix.empty() ? 0 : order.size()); ++j) {
      result.matrix[i * order.size() + j] = instance.matrix[order[i] * order.size() + order[j]];
    }
  }
  return result;
}

nlohmann::ordered_json orders_json(const OrderSensitivity& orders) {
  nlohmann::ordered_json json{{"permutations", orders.costs.size()}};
  if (!orders.gaps.empty()) {
    json["mean_gap_percent"] = orders.mean_gap;
    json["gap_deviation"] = orders.gap_deviation;
    json["gaps_percent"] = orders.gaps;
  }
  json["mean_cost"] = orders.mean_cost;
  json["cost_deviation"] = orders.cost_deviation;
  json["costs"] = orders.costs;
  json["per_instance"] = {{"mean_deviation_percent", orders.instance_deviation},
                          {"largest_deviation_percent", orders.largest_instance_deviation}};
  return json;
}

std::string orders_text(const std::string& file, const OrderSensitivity& orders) {
  const bool gap = !orders.gaps.empty();
  const auto shown = [&](double value, int digits) {
    return decimal(value, gap ? digits : digits + 1) + (gap ? " %" : "");
  };
  std::string text = fmt::format(
      "{}: {} input orders, mean {} {}, standard deviation over the orders {}\n  of each:", file,
      orders.costs.size(), gap ? "gap" : "cost", shown(gap ? orders.mean_gap : orders.mean_cost, 3),
      shown(gap ? orders.gap_deviation : orders.cost_deviation, 4));
  for (const double value : gap ? orders.gaps : orders.costs) {
    text += " " + shown(value, 3);
  }
  return text +
         fmt::format(
             "\n  apart from that, the cost of one instance deviates over the orders by {} % "
             "on average, {} % at most\n",
             decimal(orders.instance_deviation, 4), decimal(orders.largest_instance_deviation, 4));
}

}  // namespace eco::cli
