#pragma once
// Cuts a giant tour (all customers in one order) into routes so that length plus penalised excess
// load is least: a shortest path over the places to cut. A route's load is bounded, so the work is
// linear in the customers.

#include <cstdint>
#include <span>

#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/expert/individual.h"

namespace eco {

[[nodiscard]] CustomerRoutes split(const Instance& instance, const DistanceTable& distance,
                                   std::span<const std::uint32_t> giant_tour, double penalty);

}  // namespace eco
