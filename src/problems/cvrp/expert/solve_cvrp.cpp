#include "problems/cvrp/expert/solve_cvrp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/expert/forced_paths.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/cvrp/expert/annealing.h"
#include "problems/cvrp/expert/contracted.h"
#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/expert/fleet_reduction.h"
#include "problems/cvrp/expert/genetic_search.h"

namespace eco {

namespace {

// Neighbour lists are for finding routes around a customer, too, so they are longer than what one
// insertion looks at. Runs with forced paths are many and short; there the lists cost more than the
// last neighbours bring.
constexpr std::size_t kNeighbours = 100;
constexpr std::size_t kNeighboursOfPaths = 40;

// Temperatures in units of the mean distance between nearest neighbours.
constexpr double kFirstTemperature = 3.0;
constexpr double kWarmTemperature = 1.0;  // first where a start or forced paths show the way
constexpr double kLastTemperature = 0.1;

// Up to this size the genetic search gets the rest of the budget. Measured: see
// docs/experts.md.
constexpr std::size_t kGeneticCustomers = 300;
constexpr double kAnnealingShare = 0.6;
constexpr double kFleetShare = 0.4;                     // of the budget at most, for fewer routes
constexpr std::uint64_t kStepsPerChildAndCustomer = 3;  // what a child costs, in time

std::uint64_t default_iterations(std::size_t customers) {
  return 20'000 + 2'000 * static_cast<std::uint64_t>(customers);
}

// Short runs on many nodes never ask for as many distances as a matrix would hold: measured, its
// making is paid back after a step for every 70 entries.
std::size_t largest_matrix(std::uint64_t iterations) {
  constexpr double kEntriesPerStep = 70;
  if (iterations == 0) return DistanceTable::kMatrixNodes;
  const double nodes = std::sqrt(kEntriesPerStep * static_cast<double>(iterations));
  return static_cast<std::size_t>(std::min<double>(nodes, DistanceTable::kMatrixNodes));
}

// Over all nodes; the other end of a path is no neighbour.
double mean_nearest_distance(const NeighbourLists& neighbours, const DistanceTable& distance,
                             const TiedEnds& fragments) {
  double sum = 0;
  for (std::uint32_t i = 0; i < neighbours.nodes(); ++i) {
    const auto near = neighbours.of(i);
    sum += distance(i, near[near[0] == fragments.other_end(i) ? 1 : 0]);
  }
  return sum / static_cast<double>(neighbours.nodes());
}

// `first` are solutions to begin with, the best of them in front.
Solution breed(const Annealing& setting, const CvrpExpertOptions& options,
               std::span<const Solution> first, std::uint64_t steps) {
  GeneticSearch genetic(setting.instance, setting.distance, setting.neighbours, first, options.seed,
                        options.threads);
  const CvrpBudget& budget = setting.budget;
  const std::uint64_t child = kStepsPerChildAndCustomer * setting.instance.customers();
  while (budget.used(steps) < 1) {
    genetic.step([&](std::size_t n) { return budget.used(steps + n * child) >= 1; });
    steps += GeneticSearch::kBrood * child;
    budget.tell(budget.used(steps), genetic.best_length());
  }
  return genetic.best();
}

Solution search(const Instance& instance, const TiedEnds& fragments, const Solution* start,
                const CvrpExpertOptions& options) {
  const std::size_t stops = fragments.stops(instance.customers());
  std::uint64_t iterations = options.iterations;
  if (iterations == 0 && !options.deadline.limited()) iterations = default_iterations(stops);
  const CvrpBudget budget(iterations, options.deadline, options.progress);
  // Savings take a while, and when they find that their time is over, there is none left for this.
  std::optional<Solution> quick;
  if (options.deadline.limited() && fragments.empty() && start == nullptr) {
    quick = quick_solution(instance, options.seed, options.deadline);
  }
  const NeighbourLists neighbours(instance, fragments.empty() ? kNeighbours : kNeighboursOfPaths,
                                  options.deadline);
  std::optional<Solution> first =
      start != nullptr ? *start : savings_routes(instance, neighbours, options.deadline, fragments);
  if (!first) return quick ? std::move(*quick) : curve_solution(instance);
  if (stops == 1 || options.deadline.reached()) return *first;
  const DistanceTable distance(instance, largest_matrix(iterations));
  std::uint64_t steps = 0;
  const bool fleet = instance.vehicles.has_value() && fragments.empty();
  if (fleet && to_routes(*first).size() > *instance.vehicles) {
    const FleetReduction reduction{instance, distance,    neighbours,
                                   budget,   kFleetShare, options.seed};
    first = reduction.run(*first, *instance.vehicles, steps);
  }
  // The moves of the genetic search turn parts of routes round, and it knows of no fleet.
  const bool genetic =
      fragments.empty() && stops <= kGeneticCustomers && distance.symmetric() && !fleet;

  const double scale = mean_nearest_distance(neighbours, distance, fragments);
  const bool warm = !fragments.empty() || start != nullptr;
  Annealing annealing{instance, distance, neighbours, fragments, budget};
  annealing.share = genetic ? kAnnealingShare : 1.0;
  annealing.first = scale * (warm ? kWarmTemperature : kFirstTemperature);
  annealing.last = scale * kLastTemperature;
  annealing.seed = options.seed;
  annealing.threads = options.threads;
  annealing.most_routes = fleet ? std::max(*instance.vehicles, to_routes(*first).size())
                                : std::numeric_limits<std::size_t>::max();
  std::vector<Solution> trail;
  if (genetic) annealing.trail = &trail;
  Solution annealed = annealing.run(*first, steps);
  if (!genetic || budget.used(steps) >= 1) return annealed;
  trail.insert(trail.begin(), std::move(annealed));
  return breed(annealing, options, trail, steps);
}

}  // namespace

Solution solve_cvrp(const Instance& instance, const CvrpExpertOptions& options) {
  if (instance.kind != ProblemKind::cvrp) {
    throw Error(ErrorKind::usage, "the CVRP expert was given an instance of another problem");
  }
  if (!options.forced.empty() && !is_symmetric(instance)) {
    throw input_error({instance.name, 0},
                      "forced edges need distances that are the same in both directions");
  }
  const ForcedPaths forced(instance, options.forced);
  if (options.start != nullptr) (void)forced.require_start(instance, *options.start);
  if (forced.empty()) return search(instance, {}, options.start, options);

  const Contracted contracted(instance, forced);
  Solution start;
  if (options.start != nullptr) start = contracted.reduce(*options.start);
  if (contracted.stops() == 0) return contracted.expand({{kDepot}});
  return contracted.expand(search(contracted.instance(), contracted.fragments(),
                                  options.start != nullptr ? &start : nullptr, options));
}

}  // namespace eco
