#pragma once
// The checker's part of the CVRP. It counts loads by itself and shares no code with what builds
// routes.

#include <cstddef>
#include <string>

#include "core/instance/instance.h"

namespace eco::cvrp {

// The first route that carries more than the capacity, or that the sequence does not start and end
// at the depot; empty if there is neither. Counts the routes.
[[nodiscard]] std::string load_violation(const Instance& instance, const Solution& solution,
                                         std::size_t& routes);

}  // namespace eco::cvrp
