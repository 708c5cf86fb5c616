#pragma once
// What the machinery knows of a problem: not which one it is, but whether it has a depot, whether
// its sequences close, and functions for what is its own. Every layer that needs more states a
// contract like this one (ProblemSearch, ProblemExpert, io::ProblemFormats); the states, which are
// compiled in, are in problems/states.h.

#include <optional>
#include <string>
#include <string_view>

#include "core/tour/edge.h"
#include "problems/list.h"

namespace eco {

struct Instance;
struct Solution;

struct ProblemFacts {
  std::string_view name;    // in files, in weights, on the command line: "tsp"
  std::string_view title;   // in sentences: "TSP"
  std::string_view tsplib;  // TYPE of a TSPLIB file: "TSP"
  // Node 0 is a depot: the others are customers with demands, a solution is routes of vehicles with
  // a capacity, and sequences have depot tokens.
  bool depot = false;
  // A sequence goes back to where it began.
  bool closed = true;
  // The problem whose policy serves this one where it has no weights of its own: the same network
  // reads it, and its states are states of that problem too.
  ProblemKind policy;

  // Throws eco::Error (input) for what only this problem asks of an instance.
  void (*validate)(const Instance& instance, std::string_view source);
  // The checker's part: the first violation in the user's numbering of a sequence that visits every
  // node once, or nothing. Counts the routes.
  std::string (*violation)(const Instance& instance, const Solution& solution, std::size_t& routes);

  // Of problems whose sequences do not close: a solution is a tour cut open.
  // What is decided before the first step, if anything is: the two nodes are joined outside of the
  // solution (where it begins and where it ends); a node with itself has one of its sides taken.
  std::optional<Edge> (*given)(const Instance& instance) = nullptr;
  // Makes a solution of a tour, which has an edge between the two nodes that are joined.
  void (*cut_open)(const Instance& instance, Solution& tour) = nullptr;
};

ECO_PROBLEM_TABLE(ProblemFacts, facts)

[[nodiscard]] inline const ProblemFacts& facts_of(ProblemKind kind) {
  return *problem_facts[index_of(kind)];
}
[[nodiscard]] inline std::string_view to_string(ProblemKind kind) {
  return facts_of(kind).name;
}
[[nodiscard]] std::optional<ProblemKind> problem_from(std::string_view name);

// "tsp, cvrp": what there is, for messages.
[[nodiscard]] std::string problem_names(std::string_view separator = ", ");

}  // namespace eco
