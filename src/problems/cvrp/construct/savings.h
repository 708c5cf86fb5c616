#pragma once
// Clarke and Wright's savings: every customer starts on a route of its own; routes are joined end
// to end where that saves most and the load fits. First only near neighbours are joined, which
// keeps time and memory linear in the number of customers; then the ends that are left, in rounds.
// Where the way back has another length, the mean of both counts, and each route then goes the
// shorter way round.

#include <optional>

#include "core/base/deadline.h"
#include "core/instance/instance.h"
#include "core/search/neighbours.h"
#include "problems/cvrp/search/tied_ends.h"

namespace eco {

// Nothing if the deadline comes first.
[[nodiscard]] std::optional<Solution> savings_routes(const Instance& instance,
                                                     const Deadline& deadline);
// With lists that are there already (incomplete ones give nothing either), from paths that are
// there already: with any, a deadline leaves them as far as they are joined.
[[nodiscard]] std::optional<Solution> savings_routes(const Instance& instance,
                                                     const NeighbourLists& neighbours,
                                                     const Deadline& deadline,
                                                     const TiedEnds& tied = {});

}  // namespace eco
