#pragma once
// Clarke and Wright's savings: every customer starts on a route of its own; routes are joined end
// to end where that saves most and the load fits. First only near neighbours are joined, which
// keeps time and memory linear in the number of customers; then the ends that are left, in rounds.

#include "core/instance/instance.h"
#include "core/search/fragments.h"
#include "core/search/neighbours.h"

namespace eco {

[[nodiscard]] Solution savings_routes(const Instance& instance);
// With lists that are there already, from paths that are there already.
[[nodiscard]] Solution savings_routes(const Instance& instance, const NeighbourLists& neighbours,
                                      const Fragments& fragments = {});

}  // namespace eco
