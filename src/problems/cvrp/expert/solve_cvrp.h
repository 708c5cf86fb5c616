#pragma once
// The label maker for the CVRP. From a savings start, slack induction by string removals cools down
// (it is quick at every size); on small instances hybrid genetic search goes on from its result,
// where a population finds what one solution under change does not. Memory is linear in the
// customers.
//
// A path of forced edges is taken out and put in as one stop. As long as there is one, the genetic
// search, which takes routes apart customer by customer, is left out and its share of the budget
// goes to the annealing. Likewise where the way back has another length, and for a fleet with a
// limit.

#include <cstdint>
#include <span>

#include "core/base/deadline.h"
#include "core/expert/progress.h"
#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco {

struct CvrpExpertOptions {
  // Budget in ruin-and-recreate steps of all threads together; a child of the genetic search counts
  // as three a customer, which is about the time it takes. 0: until the deadline, or, if there is
  // none, a number that grows with the instance.
  std::uint64_t iterations = 0;
  Deadline deadline;  // the best solution found so far is returned when it is reached
  std::uint64_t seed = 1;
  std::size_t threads = 1;  // at least 1
  TellProgress progress;
  // Edges that the routes must have: disjoint paths that fit into a vehicle, from and to the depot
  // or not, whole routes too (a customer alone: its edge to the depot twice). Not with distances
  // that depend on the direction.
  std::span<const Edge> forced;
  // A solution with these edges to begin with, which is never made longer; nullptr: by savings.
  const Solution* start = nullptr;
};

// Feasible always, but for a fleet that is too small: Instance::vehicles is kept if that many are
// found to do (without forced edges), else the routes are as few as were found. Without a deadline
// the result is a function of the instance and the options. Throws eco::Error (input) if the forced
// edges are not as said above or if the start is no solution or lacks one of them.
[[nodiscard]] Solution solve_cvrp(const Instance& instance, const CvrpExpertOptions& options = {});

}  // namespace eco
