#include "problems/cvrp/io/cvrp_lines.h"

#include "io/reference.h"
#include "io/scanner.h"

namespace eco::io {

namespace {

void expect_word(Scanner& scanner, const TextInput& input, std::string_view expected) {
  if (!scanner.at_word()) scanner.fail("'" + std::string(expected) + "'");
  const std::string_view word = scanner.word();
  if (!same_word(word, expected)) {
    throw input.error(quoted(word), "'" + std::string(expected) + "'");
  }
}

Point read_point(Scanner& scanner) {
  const double x = scanner.number("a finite x coordinate");
  const double y = scanner.number("a finite y coordinate");
  return {x, y};
}

void read_demands(Scanner& scanner, const TextInput& input, Instance& instance) {
  const std::size_t nodes = instance.points.size();
  instance.demands.reserve(nodes);
  instance.demands.push_back(0);
  while (!scanner.at_end() && !scanner.at_word()) {
    const std::int64_t demand = scanner.quantity("a demand (a whole number)");
    if (demand < 0 || demand > instance.capacity) {
      throw input.error("demand " + std::to_string(demand),
                        "0 to the capacity " + std::to_string(instance.capacity));
    }
    instance.demands.push_back(demand);
    if (instance.demands.size() > nodes + 1) break;
  }
  // One too many: the depot's own was written as well.
  if (instance.demands.size() == nodes + 1 && instance.demands[1] == 0) {
    instance.demands.erase(instance.demands.begin());
  }
  if (instance.demands.size() != nodes) {
    const std::size_t written = instance.demands.size() - 1;
    throw input.error(
        (written > nodes ? "more than " + std::to_string(nodes) : std::to_string(written)) +
            " demands",
        std::to_string(nodes - 1) + ", or " + std::to_string(nodes) + " with the depot's 0 first");
  }
}

Solution read_node_flag(Scanner& scanner, const TextInput& input, std::size_t customers) {
  Solution solution;
  std::vector<NodeId> order;
  order.reserve(customers);
  for (std::size_t i = 0; i < customers; ++i) {
    const std::int64_t number = scanner.integer("a customer number in node_flag");
    if (number < 1 || static_cast<std::uint64_t>(number) > customers) {
      throw input.error("customer " + std::to_string(number), "1 to " + std::to_string(customers));
    }
    order.emplace_back(static_cast<std::size_t>(number));
  }
  for (std::size_t i = 0; i < customers; ++i) {
    const std::int64_t via_depot = scanner.integer("a flag 0 or 1 in node_flag");
    if (via_depot != 0 && via_depot != 1) {
      throw input.error("flag " + std::to_string(via_depot), "0 or 1");
    }
    if (via_depot == 1 || i == 0) solution.sequence.push_back(kDepot);
    solution.sequence.push_back(order[i]);
  }
  solution.sequence.push_back(kDepot);
  return solution;
}

}  // namespace

Instance read_cvrp_line(std::string_view line, const TextInput& input, const ReadOptions& options) {
  Instance instance;
  instance.kind = ProblemKind::cvrp;
  instance.rounding = options.rounding.value_or(Rounding::none);
  Scanner scanner(line, input, ',');
  expect_word(scanner, input, "depot");
  instance.points.push_back(read_point(scanner));
  expect_word(scanner, input, "customer");
  while (!scanner.at_end() && !scanner.at_word()) instance.points.push_back(read_point(scanner));
  if (instance.points.size() < 2) throw input.error("no customer", "at least one");

  expect_word(scanner, input, "capacity");
  instance.capacity = scanner.quantity("a capacity (a whole number)");
  if (instance.capacity < 1) {
    throw input.error("capacity " + std::to_string(instance.capacity),
                      "1 to " + std::to_string(kMaxQuantity));
  }
  expect_word(scanner, input, "demand");
  read_demands(scanner, input, instance);

  if (!scanner.at_end()) {
    expect_word(scanner, input, "cost");
    instance.reference_cost = scanner.number("a cost");
  }
  if (!scanner.at_end()) {
    expect_word(scanner, input, "node_flag");
    instance.reference = read_node_flag(scanner, input, instance.customers());
  }
  if (!scanner.at_end()) scanner.fail("the end of the line");
  finish(instance, input.where(), options);
  return instance;
}

void write_cvrp_line(Output& output, const Instance& instance) {
  require_euclidean(instance, "CVRP lines");
  if (instance.vehicles) {
    throw Error(ErrorKind::usage, "CVRP lines have no place for the number of vehicles, " +
                                      std::to_string(*instance.vehicles) + "; write .vrp or .json");
  }
  output << "depot," << instance.points[0].x << ',' << instance.points[0].y << ",customer";
  for (std::size_t i = 1; i < instance.size(); ++i) {
    output << ',' << instance.points[i].x << ',' << instance.points[i].y;
  }
  output << ",capacity," << instance.capacity << ",demand";
  // With the depot's 0: without it, a first customer of demand 0 would be taken for the depot.
  for (const std::int64_t demand : instance.demands) output << ',' << demand;
  if (instance.reference) {
    output << ",cost," << checked_cost(instance, *instance.reference) << ",node_flag";
    const Routes routes = to_routes(*instance.reference);
    for (const Route& route : routes) {
      for (const NodeId node : route) output << ',' << node.index();
    }
    for (const Route& route : routes) {
      for (std::size_t i = 0; i < route.size(); ++i) output << (i == 0 ? ",1" : ",0");
    }
  } else if (instance.reference_cost) {
    output << ",cost," << *instance.reference_cost;
  }
  output << '\n';
}

}  // namespace eco::io
