#pragma once
// Local search of any problem: improves a feasible solution by the named operators and never
// makes it longer. Two modes:
//   paper  first improvement; the operators in their order, each until it finds nothing, again
//          from the first while any does; at most the problem's own number of accepted moves.
//   full   every operator at every node, by neighbour lists and don't-look bits, to a local
//          optimum (of the neighbour lists), no cap.
// Results are a function of instance, solution and options alone (unless a deadline strikes).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

enum class SearchMode : std::uint8_t { paper, full };

struct LocalSearchOptions {
  SearchMode mode = SearchMode::paper;
  std::vector<std::string> operators;    // by name, in order; empty: all of the problem
  std::optional<std::size_t> max_moves;  // accepted moves; unset: the mode's own cap
  std::size_t neighbours = 10;           // length of the neighbour lists
  Deadline deadline;
};

struct LocalSearchResult {
  double before = 0;  // cost, in the instance's metric
  double after = 0;   // never above `before`
  std::size_t moves = 0;
  bool local_optimum = false;  // false: stopped by the cap or the deadline
};

// Bound to one instance, which must outlive it; what depends on the instance alone (neighbour
// lists) is made once, so that many solutions are improved cheaply. Not for use by two threads at
// a time.
class LocalSearch {
 public:
  virtual ~LocalSearch() = default;
  // The solution must be feasible.
  virtual LocalSearchResult improve(Solution& solution) = 0;
};

// Throws eco::Error (usage) for an operator that the problem does not have.
[[nodiscard]] std::unique_ptr<LocalSearch> make_local_search(
    const Instance& instance, const LocalSearchOptions& options = {});

// For a single solution.
LocalSearchResult local_search(const Instance& instance, Solution& solution,
                               const LocalSearchOptions& options = {});

// Names of all operators of a problem, in the order of the paper.
[[nodiscard]] std::span<const std::string_view> search_operators(ProblemKind kind);

// What `--refine` does to a solution that a policy has made: the full search, with lists long
// enough that little is missed, since it is run once.
LocalSearchResult refine(const Instance& instance, Solution& solution,
                         const Deadline& deadline = {});

}  // namespace eco
