#pragma once
// A solution is a set of routes; the order in which it is written down, and so decided step by
// step, is ours to choose. Tours are cyclic and have no direction: both are drawn at random. Routes
// of vehicles come in random order and direction. Labels are learned this way, and parts of
// solutions are drawn from it.

#include <vector>

#include "core/base/rng.h"
#include "core/instance/instance.h"

namespace eco {

// The tour from a random node in a random direction.
[[nodiscard]] std::vector<NodeId> random_start(const Solution& tour, Rng& rng);

// The routes in random order, each in a random direction.
[[nodiscard]] Solution shuffled_routes(const Solution& solution, Rng& rng);

// Whichever of them the problem allows; a path stays as it is.
[[nodiscard]] Solution in_random_order(const ProblemFacts& problem, const Solution& solution,
                                       Rng& rng);

}  // namespace eco
