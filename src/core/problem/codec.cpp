#include "core/problem/codec.h"

#include "core/problem/problem.h"

namespace eco {

std::vector<NodeId> steps_of(const Instance& instance, const Solution& solution) {
  const auto begun = with_problem(instance.kind, [&]<class State>() {
    return static_cast<std::ptrdiff_t>(State(instance).solution().sequence.size());
  });
  const Solution plain = instance.has_depot() ? from_routes(to_routes(solution)) : solution;
  return {plain.sequence.begin() + begun, plain.sequence.end()};
}

Solution solution_of(const Instance& instance, std::span<const NodeId> steps) {
  return with_problem(instance.kind, [&]<class State>() {
    State state(instance);
    for (const NodeId node : steps) state.step(node);
    state.take_forced();
    return state.solution();
  });
}

Partners::Partners(const Instance& instance, const Solution& solution) : both_(instance.size()) {
  const auto& sequence = solution.sequence;
  const std::size_t size = sequence.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (instance.has_depot() && sequence[i] == kDepot) continue;
    both_[sequence[i].index()] = {sequence[(i + size - 1) % size], sequence[(i + 1) % size]};
  }
  const ProblemFacts& problem = instance.problem();
  if (problem.closed || size == 0) return;
  const auto given = problem.given(instance);
  if (given && given->a != given->b) return;  // its two ends are linked outside of the solution
  const NodeId first = sequence.front(), last = sequence.back();
  both_[first.index()][0] = first;
  both_[last.index()][1] = last;
}

}  // namespace eco
