#pragma once
// The label maker for the CVRP: slack induction by string removals under simulated annealing, from
// a savings start. Time grows with the iterations alone, memory linearly with the customers.

#include <cstdint>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

struct CvrpExpertOptions {
  // Ruin-and-recreate steps, over which the search cools down. 0: until the deadline, or, if there
  // is none, a number that grows with the instance.
  std::uint64_t iterations = 0;
  Deadline deadline;  // the best solution found so far is returned when it is reached
  std::uint64_t seed = 1;
};

// Feasible always. Without a deadline the result is a function of the instance and the seed.
// Throws eco::Error (input) if the distance matrix is not symmetric.
[[nodiscard]] Solution solve_cvrp(const Instance& instance, const CvrpExpertOptions& options = {});

}  // namespace eco
