#pragma once
// A label is a set of routes; the order in which a policy is asked to write it down is ours to
// choose. TSP tours are cyclic and have no direction: both are drawn at random. CVRP routes come in
// random order and direction.

#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/instance.h"

namespace eco::train {

// The tour from a random node in a random direction.
[[nodiscard]] std::vector<NodeId> random_start(const Solution& tour, Rng& rng);

// The routes in random order, each in a random direction.
[[nodiscard]] Solution shuffled_routes(const Solution& solution, Rng& rng);

}  // namespace eco::train
