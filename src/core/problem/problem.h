#pragma once
// What a problem is to a constructive policy: a state that knows which nodes may come next and how
// to move on. The rest of the tree is written against this contract; a new problem is a new folder
// beside tsp/ and cvrp/ and a case in with_problem.

#include <concepts>
#include <cstddef>
#include <utility>

#include "core/instance/instance.h"
#include "problems/cvrp/rules/state.h"
#include "problems/tsp/rules/state.h"

namespace eco {

template <class State>
concept ProblemState = requires(State state, const State& view, NodeId node, const Instance& in) {
  State(in);                                             // nothing visited yet
  { view.feasible(node) } -> std::same_as<bool>;         // the mask, O(1)
  { view.done() } -> std::same_as<bool>;                 // the sequence is a full solution
  { view.steps() } -> std::same_as<std::size_t>;         // nodes chosen so far
  { view.current() } -> std::same_as<NodeId>;            // last chosen; only after a step
  { view.solution() } -> std::same_as<const Solution&>;  // what was chosen so far
  state.step(node);                                      // requires feasible(node)
};

static_assert(ProblemState<TspState> && ProblemState<CvrpState>);

// Calls body.template operator()<State>() with the state type of the kind.
template <class Body>
decltype(auto) with_problem(ProblemKind kind, Body&& body) {
  switch (kind) {
    case ProblemKind::cvrp:
      return std::forward<Body>(body).template operator()<CvrpState>();
    case ProblemKind::tsp:
      break;
  }
  return std::forward<Body>(body).template operator()<TspState>();
}

// Length of the sequence in the instance's own metric and rounding, closed for the TSP.
[[nodiscard]] double cost(const Instance& instance, const Solution& solution);

}  // namespace eco
