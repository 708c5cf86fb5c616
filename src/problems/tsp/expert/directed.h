#pragma once
// Tours where the way back may have another length (an explicit matrix that is not symmetric).
// Every node becomes two, one to arrive at and one to leave from, side by side for ever; ways go
// from a leaving one to an arriving one, at the same length in both directions of travel, and there
// are none between two of a kind. So the search for symmetric distances does all the work: moves
// that would turn a part of the tour round cannot gain, those that do not turn anything can.

#include "problems/tsp/expert/ils.h"

namespace eco {

// As solve_tsp.
[[nodiscard]] Solution solve_directed(const Instance& instance, const IlsOptions& options);

}  // namespace eco
