#include "problems/cvrp/expert/solve_cvrp.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/expert/forced_paths.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/cvrp/expert/contracted.h"
#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/expert/genetic_search.h"
#include "problems/cvrp/expert/ruin_recreate.h"

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

// Up to this size the genetic search gets the second half of the budget. Measured: see
// docs/experts.md.
constexpr std::size_t kGeneticCustomers = 300;
constexpr double kAnnealingShare = 0.5;
constexpr std::uint64_t kStepsPerChildAndCustomer = 3;  // what a child costs, in time

std::uint64_t default_iterations(std::size_t customers) {
  return 20'000 + 2'000 * static_cast<std::uint64_t>(customers);
}

class Budget {
 public:
  Budget(const CvrpExpertOptions& options, std::size_t customers)
      : iterations_(options.iterations),
        deadline_(options.deadline),
        progress_(options.progress),
        seconds_(deadline_.seconds_left()) {
    if (iterations_ == 0 && !std::isfinite(seconds_)) iterations_ = default_iterations(customers);
  }

  [[nodiscard]] std::uint64_t iterations() const { return iterations_; }  // 0: no limit
  [[nodiscard]] bool out_of_time() const { return deadline_.reached(); }
  // How much of it is gone after so many steps: 1 or more when it is time to stop.
  [[nodiscard]] double used(std::uint64_t steps) const {
    if (deadline_.reached()) return 1;
    double used = 0;
    if (iterations_ > 0) used = static_cast<double>(steps) / static_cast<double>(iterations_);
    if (std::isfinite(seconds_)) used = std::max(used, 1.0 - deadline_.seconds_left() / seconds_);
    if (progress_) progress_(std::min(1.0, used));
    return used;
  }

 private:
  std::uint64_t iterations_;  // 0: only time counts
  Deadline deadline_;
  std::function<void(double)> progress_;
  double seconds_;  // from the start to the deadline
};

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

// Cools down from the `first` temperature over `share` of the budget; returns the steps it took.
std::uint64_t anneal(RuinRecreate& search, const Budget& budget, double share, double scale,
                     double first) {
  constexpr std::uint64_t kStepsBetweenTemperatures = 64, kStepsBetweenClockReads = 4;
  double temperature = 0;
  for (std::uint64_t steps = 0;; ++steps) {
    // With many routes a step is a long one.
    if (steps % kStepsBetweenClockReads == 0 && budget.out_of_time()) return steps;
    if (steps % kStepsBetweenTemperatures == 0) {
      const double done = budget.used(steps) / share;
      if (done >= 1) return steps;
      temperature = scale * first * std::pow(kLastTemperature / first, done);
    }
    search.step(temperature);
  }
}

Solution search(const Instance& instance, const TiedEnds& fragments, const Solution* start,
                const CvrpExpertOptions& options) {
  const std::size_t stops = fragments.stops(instance.customers());
  const Budget budget(options, stops);
  // Savings take a while, and when they find that their time is over, there is none left for this.
  std::optional<Solution> quick;
  if (options.deadline.limited() && fragments.empty() && start == nullptr) {
    quick = quick_solution(instance, options.seed, options.deadline);
  }
  const NeighbourLists neighbours(instance, fragments.empty() ? kNeighbours : kNeighboursOfPaths,
                                  options.deadline);
  const std::optional<Solution> first =
      start != nullptr ? *start : savings_routes(instance, neighbours, options.deadline, fragments);
  if (!first) return quick ? std::move(*quick) : curve_solution(instance);
  if (stops == 1 || budget.out_of_time()) return *first;
  const DistanceTable distance(instance, largest_matrix(budget.iterations()));
  const bool genetic = fragments.empty() && stops <= kGeneticCustomers;

  RuinRecreate annealed(instance, distance, neighbours, fragments, *first, options.seed);
  std::uint64_t steps =
      anneal(annealed, budget, genetic ? kAnnealingShare : 1.0,
             mean_nearest_distance(neighbours, distance, fragments),
             fragments.empty() && start == nullptr ? kFirstTemperature : kWarmTemperature);
  if (!genetic || budget.used(steps) >= 1) return annealed.best();

  GeneticSearch bred(instance, distance, neighbours, annealed.best(), options.seed);
  for (; budget.used(steps) < 1; steps += kStepsPerChildAndCustomer * stops) bred.step();
  return bred.best();
}

}  // namespace

Solution solve_cvrp(const Instance& instance, const CvrpExpertOptions& options) {
  if (instance.kind != ProblemKind::cvrp) {
    throw Error(ErrorKind::usage, "the CVRP expert was given an instance of another problem");
  }
  require_symmetric(instance);
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
