#include "core/base/error.h"
#include "core/instance/instance.h"
#include "problems/cvrp/rules/check.h"

namespace eco::cvrp {

namespace {

void validate_instance(const Instance& instance, std::string_view source) {
  const auto require = [&](bool condition, const std::string& message) {
    if (!condition) throw input_error({std::string(source), 0}, message);
  };
  const std::size_t nodes = instance.size();
  require(nodes >= 2, "a CVRP instance needs a depot and at least one customer");
  require(instance.capacity > 0,
          "capacity is " + std::to_string(instance.capacity) + ", expected a positive number");
  require(!instance.vehicles || *instance.vehicles > 0, "no vehicles, expected at least 1");
  require(instance.demands.size() == nodes, std::to_string(instance.demands.size()) +
                                                " demands for " + std::to_string(nodes) +
                                                " nodes (the depot included)");
  require(instance.demands[0] == 0,
          "the depot has demand " + std::to_string(instance.demands[0]) + ", expected 0");
  for (std::size_t i = 1; i < nodes; ++i) {
    require(instance.demands[i] >= 0 && instance.demands[i] <= instance.capacity,
            "node " + std::to_string(i + 1) + " has demand " + std::to_string(instance.demands[i]) +
                ", expected 0 to the capacity " + std::to_string(instance.capacity));
  }
}

}  // namespace

constinit const ProblemFacts facts{
    .name = "cvrp",
    .title = "CVRP",
    .tsplib = "CVRP",
    .depot = true,
    .policy = ProblemKind::cvrp,
    .validate = validate_instance,
    .violation = load_violation,
};

}  // namespace eco::cvrp
