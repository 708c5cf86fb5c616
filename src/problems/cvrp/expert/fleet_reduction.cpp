#include "problems/cvrp/expert/fleet_reduction.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "problems/cvrp/expert/greedy_insertion.h"
#include "problems/cvrp/expert/linked_routes.h"
#include "problems/cvrp/expert/string_removal.h"

namespace eco {

namespace {

class RouteElimination {
 public:
  RouteElimination(const FleetReduction& task, const Solution& start)
      : rng_(task.seed),
        routes_(task.instance, task.distance, to_routes(start)),
        removal_(task.neighbours, task.instance.customers(), {}),
        insertion_(task.instance, task.distance, task.neighbours, {}, {}),
        absences_(task.instance.size(), 1) {}

  [[nodiscard]] std::size_t used_routes() const { return routes_.used_routes(); }
  [[nodiscard]] bool complete() const { return absent_.empty(); }

  // The one whose customers were easy to place so far.
  void take_a_route_out() {
    std::uint64_t least = 0;
    Route easiest;
    for (std::uint32_t r = 0; r < routes_.routes(); ++r) {
      const Route nodes = routes_.nodes_of(r);
      std::uint64_t sum = 0;
      for (const NodeId node : nodes) sum += absences_[node.index()];
      if (nodes.empty() || (!easiest.empty() && sum >= least)) continue;
      least = sum;
      easiest = nodes;
    }
    for (const NodeId node : easiest) {
      const auto customer = static_cast<std::uint32_t>(node.index());
      routes_.remove(customer);
      absent_.push_back(customer);
    }
  }

  void step() {
    removed_.clear();
    (void)removal_.ruin(routes_, rng_, removed_);
    std::vector<std::uint32_t> open = absent_;
    for (const Removal& removal : removed_) open.push_back(removal.head);
    std::size_t inserted = 0;
    (void)insertion_.insert_what_fits(routes_, rng_, open, inserted);
    const auto left = std::span(open).subspan(inserted);
    if (weight(left) > weight(absent_)) {
      while (inserted > 0) routes_.remove(open[--inserted]);
      for (std::size_t i = removed_.size(); i > 0; --i) {
        const Removal& removal = removed_[i - 1];
        routes_.insert(removal.head, removal.previous, removal.route);
      }
    } else {
      absent_.assign(left.begin(), left.end());
    }
    for (const std::uint32_t customer : left) ++absences_[customer];
  }

  [[nodiscard]] Solution solution() const {
    Routes routes;
    for (std::uint32_t r = 0; r < routes_.routes(); ++r) {
      if (routes_.route(r).stops > 0) routes.push_back(routes_.nodes_of(r));
    }
    return from_routes(routes);
  }

 private:
  [[nodiscard]] std::uint64_t weight(std::span<const std::uint32_t> customers) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t customer : customers) sum += absences_[customer];
    return sum;
  }

  Rng rng_;
  LinkedRoutes routes_;
  StringRemoval removal_;
  GreedyInsertion insertion_;
  std::vector<std::uint32_t> absent_;    // in no route
  std::vector<std::uint64_t> absences_;  // by customer: how often it was left over
  std::vector<Removal> removed_;
};

}  // namespace

std::size_t fewest_vehicles(const Instance& instance) {
  const auto demand =
      std::accumulate(instance.demands.begin(), instance.demands.end(), std::int64_t{0});
  return static_cast<std::size_t>(
      std::max<std::int64_t>(1, (demand + instance.capacity - 1) / instance.capacity));
}

Solution FleetReduction::run(const Solution& start, std::size_t vehicles,
                             std::uint64_t& steps) const {
  const std::size_t goal = std::max(vehicles, fewest_vehicles(instance));
  RouteElimination search(*this, start);
  Solution fewest = start;
  constexpr std::uint64_t kStepsBetweenLooks = 16;
  while (search.used_routes() > goal) {
    search.take_a_route_out();
    for (; !search.complete(); ++steps) {
      if (steps % kStepsBetweenLooks == 0 && budget.used(steps) >= share) return fewest;
      search.step();
    }
    fewest = search.solution();
  }
  return fewest;
}

}  // namespace eco
