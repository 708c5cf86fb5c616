#include "core/problem/check.h"

#include <stdexcept>
#include <vector>

namespace eco {

namespace {

CheckResult infeasible(std::string reason) {
  return {false, std::move(reason), 0, 0, false};
}

// Every customer exactly once; a depot is not counted here.
std::string visit_violation(const Instance& instance, const Solution& solution) {
  const std::size_t nodes = instance.size();
  const std::size_t first = instance.problem().depot ? 1 : 0;
  std::vector<unsigned char> seen(nodes, 0);
  for (const NodeId id : solution.sequence) {
    const std::size_t node = id.index();
    if (node >= nodes) {
      return "node number " + std::to_string(node + 1) + " is not in the instance (" +
             std::to_string(nodes) + " nodes)";
    }
    if (node < first) continue;
    if (seen[node] != 0) return node_name(instance, NodeId(node)) + " is visited twice";
    seen[node] = 1;
  }
  for (std::size_t node = first; node < nodes; ++node) {
    if (seen[node] == 0) return node_name(instance, NodeId(node)) + " is never visited";
  }
  return {};
}

}  // namespace

CheckResult check(const Instance& instance, const Solution& solution) {
  if (solution.sequence.empty()) return infeasible("the solution is empty");
  CheckResult result;
  result.reason = visit_violation(instance, solution);
  if (result.reason.empty()) {
    result.reason = instance.problem().violation(instance, solution, result.routes);
  }
  if (!result.reason.empty()) return infeasible(result.reason);

  const auto& sequence = solution.sequence;
  long double sum = 0;
  const std::size_t edges = sequence.size() - (instance.problem().closed ? 0 : 1);
  for (std::size_t i = 0; i < edges; ++i) {
    const NodeId next = sequence[i + 1 == sequence.size() ? 0 : i + 1];
    if (next != sequence[i]) sum += instance.distance(sequence[i], next);
  }
  result.cost = static_cast<double>(sum);
  result.lacks_vehicles = instance.vehicles && result.routes > *instance.vehicles;
  if (result.lacks_vehicles) {
    result.reason = std::to_string(result.routes) + " routes, but " +
                    std::to_string(*instance.vehicles) +
                    (*instance.vehicles == 1 ? " vehicle" : " vehicles");
  }
  result.feasible = !result.lacks_vehicles;
  return result;
}

double require_feasible(const Instance& instance, const Solution& solution) {
  const CheckResult result = check(instance, solution);
  if (!result.feasible && !result.lacks_vehicles) {
    throw std::logic_error("internal error: an infeasible solution was produced: " + result.reason);
  }
  return result.cost;
}

}  // namespace eco
