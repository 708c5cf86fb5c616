#pragma once
// The independent judge. It shares no code with the states that build solutions or with the search
// that improves them: it walks the finished sequence, counts visits by itself, has the problem
// count what only it knows (ProblemFacts::violation: loads, given ends) and sums distances in
// extended precision. What it does share: the distance between two nodes, which is the definition
// of the metric and tested against tables of its own, and the facts whether there is a depot and
// whether the sequence closes. Every solution passes it before it leaves the program.

#include <string>

#include "core/instance/instance.h"

namespace eco {

struct CheckResult {
  bool feasible = false;
  std::string reason;      // empty if feasible; else the first violation, in the user's numbering
  double cost = 0;         // in the instance's metric and rounding; 0 if infeasible
  std::size_t routes = 0;  // with a depot
  // The only thing wrong is that there are more routes than vehicles: cost and routes are given.
  bool lacks_vehicles = false;
};

[[nodiscard]] CheckResult check(const Instance& instance, const Solution& solution);

// For code that produced a solution itself: throws std::logic_error if it is not feasible, since
// that is a defect of the program and not of its input. More routes than vehicles are no defect,
// for no search knows of the vehicles: whoever gives the solution away has to say it. Returns the
// cost.
double require_feasible(const Instance& instance, const Solution& solution);

}  // namespace eco
