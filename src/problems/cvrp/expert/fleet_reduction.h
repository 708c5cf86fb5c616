#pragma once
// Fewer routes, for a fleet with a limit (Christiaens and Vanden Berghe, 2020): one route is taken
// out, and ruin and recreate goes on without opening another until its customers have found places
// in the others. Who is left over again and again counts more and more, so that the hard ones are
// placed first.

#include <cstddef>
#include <cstdint>

#include "problems/cvrp/expert/annealing.h"

namespace eco {

// The least number of vehicles that could carry all demands.
[[nodiscard]] std::size_t fewest_vehicles(const Instance& instance);

struct FleetReduction {
  const Instance& instance;
  const DistanceTable& distance;
  const NeighbourLists& neighbours;
  const CvrpBudget& budget;
  double share = 0;  // of the budget
  std::uint64_t seed = 0;

  // With `vehicles` routes at most, or as few as were found. Adds what it took to `steps`.
  [[nodiscard]] Solution run(const Solution& start, std::size_t vehicles,
                             std::uint64_t& steps) const;
};

}  // namespace eco
