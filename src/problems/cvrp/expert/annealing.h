#pragma once
// The first half of the CVRP expert: ruin and recreate under falling temperature, by one search or
// by several at a time. Few customers or routes: each thread by itself, and the best counts.
// Otherwise in rounds: the routes go into groups of neighbours, each group is searched for a few
// steps per customer, and what came out is put together. The best of every group make the
// best of all, since groups do not touch.
//
// Rounds end after a number of steps: without a deadline the result is a function of the start, the
// options and the number of threads.

#include <cstdint>
#include <vector>

#include "core/base/deadline.h"
#include "core/expert/progress.h"
#include "core/instance/instance.h"
#include "core/search/neighbours.h"
#include "core/tour/solution.h"
#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/search/tied_ends.h"

namespace eco {

// How much there is to spend, in ruin-and-recreate steps of all threads together or in seconds.
class CvrpBudget {
 public:
  CvrpBudget(std::uint64_t iterations, const Deadline& deadline, TellProgress tell)
      : iterations_(iterations),
        deadline_(deadline),
        tell_(std::move(tell)),
        seconds_(deadline.seconds_left()) {}

  [[nodiscard]] std::uint64_t iterations() const { return iterations_; }  // 0: only time counts
  [[nodiscard]] const Deadline& deadline() const { return deadline_; }
  // How much of it is gone after so many steps: 1 or more when it is time to stop.
  [[nodiscard]] double used(std::uint64_t steps) const;
  void tell(double used, double cost) const;

 private:
  std::uint64_t iterations_;
  Deadline deadline_;
  TellProgress tell_;
  double seconds_;  // from the start to the deadline
};

struct Annealing {
  const Instance& instance;
  const DistanceTable& distance;
  const NeighbourLists& neighbours;
  TiedEnds fragments;
  const CvrpBudget& budget;
  double share = 1;            // of the budget
  double first = 0, last = 0;  // temperature
  std::uint64_t seed = 0;
  std::size_t threads = 1;
  std::size_t most_routes = 0;  // the start has no more
  // Optional: gets up to kTrail solutions from along the way, evenly spread over its colder part.
  static constexpr std::size_t kTrail = 24;
  std::vector<Solution>* trail = nullptr;

  // Adds what it took to `steps`. Never worse than the start.
  [[nodiscard]] Solution run(const Solution& start, std::uint64_t& steps) const;

 private:
  [[nodiscard]] Solution run_apart(const Solution& start, std::uint64_t& steps) const;
  [[nodiscard]] Solution run_in_groups(const Solution& start, std::size_t groups,
                                       std::uint64_t& steps) const;
  [[nodiscard]] double temperature(double gone) const;
  [[nodiscard]] bool trail_is_due(double gone) const;
};

}  // namespace eco
