#include "core/problem/check.h"

#include <stdexcept>
#include <vector>

namespace eco {

namespace {

CheckResult infeasible(std::string reason) {
  return {false, std::move(reason), 0, 0, false};
}

// Every customer exactly once; the depot of a CVRP is not counted here.
std::string visit_violation(const Instance& instance, const Solution& solution) {
  const std::size_t nodes = instance.size();
  const std::size_t first = instance.kind == ProblemKind::cvrp ? 1 : 0;
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

std::string load_violation(const Instance& instance, const Solution& solution,
                           std::size_t& routes) {
  const auto& sequence = solution.sequence;
  if (sequence.front().index() != 0 || sequence.back().index() != 0) {
    return "the sequence does not start and end at the depot";
  }
  std::int64_t load = 0;
  std::size_t length = 0;
  for (const NodeId id : sequence) {
    if (id.index() == 0) {
      if (length > 0) ++routes;
      load = 0;
      length = 0;
      continue;
    }
    ++length;
    load += instance.demands[id.index()];
    if (load > instance.capacity) {
      return "route " + std::to_string(routes + 1) + " carries " + std::to_string(load) + " at " +
             node_name(instance, id) + ", more than the capacity " +
             std::to_string(instance.capacity);
    }
  }
  return {};
}

}  // namespace

CheckResult check(const Instance& instance, const Solution& solution) {
  if (solution.sequence.empty()) return infeasible("the solution is empty");
  CheckResult result;
  result.reason = visit_violation(instance, solution);
  if (result.reason.empty() && instance.kind == ProblemKind::cvrp) {
    result.reason = load_violation(instance, solution, result.routes);
  }
  if (!result.reason.empty()) return infeasible(result.reason);

  const auto& sequence = solution.sequence;
  long double sum = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
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
