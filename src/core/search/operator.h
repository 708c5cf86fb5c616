#pragma once
// The contract of a local-search operator, the same for every problem. `State` is the problem's
// solution under change (TSP: TourState). An operator is one file; it stands in the registry of its
// problem by name, and the driver in descent.h decides when it is asked.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace eco {

template <class State>
class SearchOperator {
 public:
  virtual ~SearchOperator() = default;

  // Looks at the moves around `node` in a fixed order and applies the first that is feasible and
  // shortens the solution by more than state.tolerance(). Returns by how much, or 0 if there is
  // none. Nodes whose surroundings changed are reported by state.touch().
  virtual double improve_at(State& state, std::uint32_t node) = 0;
};

template <class State>
struct OperatorEntry {
  std::string_view name;
  std::unique_ptr<SearchOperator<State>> (*make)();
};

// What the driver needs of a state.
template <class State>
concept SearchState = requires(State state, const State& view) {
  // Nodes at which operators are asked, in the order of the first sweep.
  { view.scan_order() } -> std::convertible_to<std::span<const std::uint32_t>>;
  { view.tolerance() } -> std::same_as<double>;
  // Nodes touched since the last clear_touched().
  { view.touched() } -> std::convertible_to<std::span<const std::uint32_t>>;
  state.clear_touched();
};

}  // namespace eco
