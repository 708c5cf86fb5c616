#pragma once
// What a problem is to the sequential constructor: a state that knows which nodes may come next and
// how to move on. Masks and steps are the hot path, so they are compiled for every problem:
//
//   with_problem(instance.kind, [&]<class State>() { State state(instance); ... });

#include <concepts>
#include <cstddef>
#include <span>

#include "core/instance/instance.h"
#include "problems/states.h"

namespace eco {

template <class State>
concept ProblemState = requires(State state, const State& view, NodeId node, const Instance& in,
                                float* features, std::span<const NodeId> order) {
  State(in);                                      // nothing chosen yet
  { view.feasible(node) } -> std::same_as<bool>;  // the mask, O(1)
  { view.done() } -> std::same_as<bool>;          // the sequence is a full solution
  { view.steps() } -> std::same_as<std::size_t>;  // nodes chosen so far
  { view.current() } -> std::same_as<NodeId>;     // last of the sequence; not of an empty one
  { view.solution() } -> std::same_as<const Solution&>;  // the sequence so far
  state.step(node);                                      // requires feasible(node)

  { State::kMasks } -> std::convertible_to<bool>;  // false: every node not visited is feasible
  { State::most_steps(std::size_t{}) } -> std::same_as<std::size_t>;  // of so many nodes
  // Whether `node`, from which a rollout is to start, is taken without being chosen.
  { view.takes_first(node) } -> std::same_as<bool>;
  state.take_forced();      // the steps that leave no choice at the end
  view.describe(features);  // the dynamic features (ModelConfig::dynamic_features)
  state.complete(order);    // without a policy: what is left, in the given order, feasibly
};

#define ECO_PROBLEM_STATE(name, ...) static_assert(ProblemState<name::State>);
ECO_PROBLEMS(ECO_PROBLEM_STATE)
#undef ECO_PROBLEM_STATE

// Length of the sequence in the instance's own metric and rounding, closed if the problem's are.
[[nodiscard]] double cost(const Instance& instance, const Solution& solution);

}  // namespace eco
