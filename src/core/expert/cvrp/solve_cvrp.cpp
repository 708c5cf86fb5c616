#include "core/expert/cvrp/solve_cvrp.h"

#include <algorithm>
#include <cmath>

#include "core/expert/cvrp/distance_table.h"
#include "core/expert/cvrp/ruin_recreate.h"
#include "core/search/construct/savings.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"

namespace eco {

namespace {

// Neighbour lists are for finding routes around a customer, too, so they are longer than what one
// insertion looks at.
constexpr std::size_t kNeighbours = 100;

// Temperatures in units of the mean distance between nearest neighbours.
constexpr double kFirstTemperature = 3.0;
constexpr double kLastTemperature = 0.1;

std::uint64_t default_iterations(std::size_t customers) {
  return 20'000 + 2'000 * static_cast<std::uint64_t>(customers);
}

double mean_nearest_distance(const NeighbourLists& neighbours, const DistanceTable& distance) {
  double sum = 0;
  for (std::size_t i = 0; i < neighbours.nodes(); ++i) sum += distance(i, neighbours.of(i)[0]);
  return sum / static_cast<double>(neighbours.nodes());
}

}  // namespace

Solution solve_cvrp(const Instance& instance, const CvrpExpertOptions& options) {
  require_symmetric(instance);
  const double seconds = options.deadline.seconds_left();
  std::uint64_t iterations = options.iterations;
  if (iterations == 0 && !std::isfinite(seconds)) {
    iterations = default_iterations(instance.customers());
  }

  const NeighbourLists neighbours(instance, kNeighbours);
  const DistanceTable distance(instance);
  RuinRecreate search(instance, distance, neighbours, savings_routes(instance, neighbours),
                      options.seed);
  const double scale = mean_nearest_distance(neighbours, distance);

  double temperature = 0;
  constexpr std::uint64_t kStepsBetweenClockReads = 64;
  for (std::uint64_t i = 0; iterations == 0 || i < iterations; ++i) {
    if (i % kStepsBetweenClockReads == 0) {
      if (options.deadline.reached()) break;
      double done = 0;
      if (iterations > 0) done = static_cast<double>(i) / static_cast<double>(iterations);
      if (std::isfinite(seconds)) {
        done = std::max(done, 1.0 - options.deadline.seconds_left() / seconds);
      }
      temperature =
          scale * kFirstTemperature * std::pow(kLastTemperature / kFirstTemperature, done);
    }
    search.step(temperature);
  }
  return search.best();
}

}  // namespace eco
