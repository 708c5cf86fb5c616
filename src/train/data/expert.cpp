#include "train/data/expert.h"

#include "core/expert/problem_expert.h"
#include "core/problem/problem.h"

namespace eco::train {

std::uint64_t default_effort(ProblemKind kind, std::size_t nodes) {
  return expert_of(kind).label_iterations(nodes);
}

void label_instance(Instance& instance, std::uint64_t effort, std::uint64_t seed,
                    const std::stop_token& stop) {
  ExpertOptions options;
  options.iterations = effort > 0 ? effort : default_effort(instance.kind, instance.customers());
  options.seed = seed;
  options.cancel = stop;
  Solution solution = expert_of(instance.kind).own.solve(instance, options);
  instance.reference_cost = cost(instance, solution);
  instance.reference = std::move(solution);
}

}  // namespace eco::train
