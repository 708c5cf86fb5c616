#pragma once
// The independent judge. It shares no code with the states that build solutions or with the search
// that improves them: it walks the finished sequence, counts visits and loads by itself and sums
// distances in extended precision. Every solution passes it before it leaves the program.

#include <string>

#include "core/instance/instance.h"

namespace eco {

struct CheckResult {
  bool feasible = false;
  std::string reason;      // empty if feasible; else the first violation, in the user's numbering
  double cost = 0;         // in the instance's metric and rounding; 0 if infeasible
  std::size_t routes = 0;  // CVRP only
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
