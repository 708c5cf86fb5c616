#include "train/data/expert.h"

#include "core/problem/problem.h"
#include "problems/cvrp/expert/solve_cvrp.h"
#include "problems/tsp/expert/ils.h"

namespace eco::train {

std::uint64_t default_effort(ProblemKind kind, std::size_t nodes) {
  // CVRP: about 0.1 s at 100 customers.
  constexpr std::uint64_t kCvrpIterationsPerNode = 200;
  return kind == ProblemKind::cvrp ? kCvrpIterationsPerNode * nodes : default_ils_iterations(nodes);
}

void label_instance(Instance& instance, std::uint64_t effort, std::uint64_t seed,
                    const std::stop_token& stop) {
  if (effort == 0) effort = default_effort(instance.kind, instance.customers());
  Solution solution;
  if (instance.kind == ProblemKind::cvrp) {
    CvrpExpertOptions options;
    options.iterations = effort;
    options.seed = seed;
    options.deadline = Deadline::when_cancelled(stop);
    solution = solve_cvrp(instance, options);
  } else {
    IlsOptions options;
    options.iterations = effort;
    options.seed = seed;
    options.deadline = Deadline::when_cancelled(stop);
    solution = solve_tsp(instance, options);
  }
  instance.reference_cost = cost(instance, solution);
  instance.reference = std::move(solution);
}

}  // namespace eco::train
