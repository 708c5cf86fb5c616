#include "problems/cvrp/rules/check.h"

namespace eco::cvrp {

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

}  // namespace eco::cvrp
