#pragma once
// The label maker for the CVRP. From a savings start, slack induction by string removals cools down
// (it is quick at every size); on small instances hybrid genetic search goes on from its result,
// where a population finds what one solution under change does not. Memory is linear in the
// customers.

#include <cstdint>
#include <functional>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

struct CvrpExpertOptions {
  // Budget in ruin-and-recreate steps; a child of the genetic search counts as three a customer,
  // which is about the time it takes.
  // 0: until the deadline, or, if there is none, a number that grows with the instance.
  std::uint64_t iterations = 0;
  Deadline deadline;  // the best solution found so far is returned when it is reached
  std::uint64_t seed = 1;
  std::function<void(double)> progress;  // told the share of the budget that is gone
};

// Feasible always. Without a deadline the result is a function of the instance and the options.
// Throws eco::Error (input) if the distance matrix is not symmetric.
[[nodiscard]] Solution solve_cvrp(const Instance& instance, const CvrpExpertOptions& options = {});

}  // namespace eco
