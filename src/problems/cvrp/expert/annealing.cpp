#include "problems/cvrp/expert/annealing.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/problem/problem.h"
#include "problems/cvrp/expert/route_groups.h"
#include "problems/cvrp/expert/ruin_recreate.h"

namespace eco {

namespace {

constexpr std::uint64_t kStepsBetweenTemperatures = 64, kStepsBetweenClockReads = 4;
// A group has to be large enough to be worth a search, and is small enough for quick steps (a step
// looks at both ends of every route), also if that makes more groups than threads. Measured:
// docs/experts.md.
constexpr std::size_t kCustomersInGroup = 100, kRoutesInGroup = 4;
constexpr std::size_t kMostCustomersInGroup = 250, kMostRoutesInGroup = 32;
constexpr std::uint64_t kShortestRound = 200;  // steps
// Rounds become longer, since the shorter they are the more threads wait for each other: after so
// many by a step for every customer, up to the latter number.
constexpr std::uint64_t kRoundsAlike = 8, kMostStepsPerCustomer = 6;
constexpr double kCostTolerance = 1e-12;  // below, a gain may be rounding
constexpr double kTrailBegins = 0.3;      // share of the way down

// What is left of a group after a round.
struct GroupResult {
  Routes routes, best;
  double best_cost = 0;
  std::uint64_t steps = 0;
};

// Takes the steps that `go_on(steps)` wants. `temperature_at(steps)` is asked every
// kStepsBetweenTemperatures; below 0: stop.
template <class GoOn, class Temperature>
std::uint64_t take_steps(RuinRecreate& search, const GoOn& go_on, const Deadline& deadline,
                         const Temperature& temperature_at) {
  double temperature = 0;
  std::uint64_t steps = 0;
  for (; go_on(steps); ++steps) {
    // With many routes a step is a long one.
    if (steps % kStepsBetweenClockReads == 0 && deadline.reached()) return steps;
    if (steps % kStepsBetweenTemperatures == 0) {
      temperature = temperature_at(steps);
      if (temperature < 0) return steps;
    }
    search.step(temperature);
  }
  return steps;
}

Routes all_of(std::vector<GroupResult>& results, Routes GroupResult::*part) {
  Routes all;
  for (GroupResult& result : results) {
    for (Route& route : result.*part) {
      if (!route.empty()) all.push_back(std::move(route));
    }
  }
  return all;
}

}  // namespace

double CvrpBudget::used(std::uint64_t steps) const {
  if (deadline_.reached()) return 1;
  double used = 0;
  if (iterations_ > 0) used = static_cast<double>(steps) / static_cast<double>(iterations_);
  if (deadline_.limited()) used = std::max(used, 1.0 - deadline_.seconds_left() / seconds_);
  return used;
}

void CvrpBudget::tell(double used, double cost) const {
  if (tell_) tell_({std::min(1.0, used), cost});
}

double Annealing::temperature(double gone) const {
  return gone >= 1 ? -1 : first * std::pow(last / first, gone);
}

bool Annealing::trail_is_due(double gone) const {
  if (trail == nullptr || trail->size() == kTrail) return false;
  const double left = static_cast<double>(trail->size()) / static_cast<double>(kTrail);
  return gone >= kTrailBegins + (1.0 - kTrailBegins) * left;
}

Solution Annealing::run(const Solution& start, std::uint64_t& steps) const {
  const std::size_t customers = instance.customers(), routes = to_routes(start).size();
  const std::size_t possible = std::min(customers / kCustomersInGroup, routes / kRoutesInGroup);
  std::size_t groups = std::max({threads, (customers - 1) / kMostCustomersInGroup + 1,
                                 (routes - 1) / kMostRoutesInGroup + 1});
  groups = std::min(groups, possible);
  if (groups > threads) groups -= groups % threads;  // so that nobody waits
  if (!fragments.empty() || groups < 2) return run_apart(start, steps);
  return run_in_groups(start, groups, steps);
}

Solution Annealing::run_apart(const Solution& start, std::uint64_t& steps) const {
  std::deque<RuinRecreate> searches;
  for (std::uint64_t i = 0; i < threads; ++i) {
    searches.emplace_back(instance, distance, neighbours, fragments, start,
                          i == 0 ? seed : Rng(seed, i).next_u64());
    searches.back().limit_routes(most_routes);
  }
  std::vector<std::uint64_t> taken(threads);
  const std::uint64_t before = steps;
  ThreadPool pool(threads);
  pool.parallel_for(threads, [&](std::size_t i, std::size_t) {
    const auto go_on = [](std::uint64_t) { return true; };
    taken[i] = take_steps(searches[i], go_on, budget.deadline(), [&](std::uint64_t done) {
      const double used = budget.used(before + done * threads);
      if (i == 0) {
        budget.tell(used, searches[i].best_cost());
        if (trail_is_due(used / share)) trail->push_back(searches[i].solution());
      }
      return temperature(used / share);
    });
  });
  const RuinRecreate* best = &searches[0];
  for (std::size_t i = 0; i < threads; ++i) {
    steps += taken[i];
    if (searches[i].best_cost() < best->best_cost()) best = &searches[i];
  }
  return best->best();
}

Solution Annealing::run_in_groups(const Solution& start, std::size_t groups,
                                  std::uint64_t& steps) const {
  constexpr std::uint64_t kGroupStream = 0x67726f7570U;
  const RouteGroups grouping(instance, distance);
  ThreadPool pool(threads);
  std::deque<RuinRecreate> searches;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    searches.emplace_back(instance, distance, neighbours, fragments, start, seed);
  }
  Rng rng(seed, kGroupStream);
  Routes routes = to_routes(start);
  Solution best = start;
  double best_cost = cost(instance, start);
  for (std::uint64_t round = 0; budget.used(steps) < share; ++round) {
    const std::size_t spare = most_routes - std::min(most_routes, routes.size());
    std::vector<Routes> parts = grouping.split(std::move(routes), groups, round, rng);
    const auto each = std::min(1 + round / kRoundsAlike, kMostStepsPerCustomer);
    std::vector<GroupResult> results(parts.size());
    std::atomic<std::size_t> at_work{parts.size()};
    pool.parallel_for(parts.size(), [&](std::size_t g, std::size_t worker) {
      RuinRecreate& search = searches[worker];
      std::uint64_t customers = 0;
      for (const Route& route : parts[g]) customers += route.size();
      search.limit_routes(parts[g].size() + spare / parts.size());
      search.assign(std::move(parts[g]), Rng(Rng(seed, round).next_u64(), g));
      const auto temperature_at = [&](std::uint64_t done) {
        const double used = budget.used(steps + done * parts.size());
        if (g == 0) budget.tell(used, best_cost);
        return temperature(used / share);
      };
      const std::uint64_t share_of_round = std::max(kShortestRound, each * customers);
      // By the clock, those that are the last need not wait for each other.
      const bool waits_for_nobody = budget.iterations() == 0 && g + threads >= parts.size();
      const std::uint64_t most = share_of_round + (waits_for_nobody ? share_of_round / 4 : 0);
      const auto go_on = [&](std::uint64_t done) {
        if (done == share_of_round) --at_work;
        return done < share_of_round || (done < most && at_work > 0);
      };
      results[g].steps = take_steps(search, go_on, budget.deadline(), temperature_at);
      results[g].routes = search.routes();
      results[g].best_cost = search.best_cost();
      results[g].best = search.best_routes();
    });
    double sum = 0;
    for (const GroupResult& result : results) {
      steps += result.steps;
      sum += result.best_cost;
    }
    if (sum < best_cost * (1.0 - kCostTolerance)) {
      best_cost = sum;
      best = from_routes(all_of(results, &GroupResult::best));
    }
    routes = all_of(results, &GroupResult::routes);
    if (trail_is_due(budget.used(steps) / share)) trail->push_back(from_routes(routes));
  }
  return best;
}

}  // namespace eco
