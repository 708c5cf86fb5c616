#pragma once
// Ruin and recreate under simulated annealing. One step ruins a neighbourhood, rebuilds it, and
// keeps the result if it is not much longer than before; the best routes ever seen are kept apart.
// TiedEnds stay whole: they are taken out and put in as one stop. They must be numbered so that
// one end of each, and every customer of its own, comes before all other ends.

#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "problems/cvrp/expert/greedy_insertion.h"
#include "problems/cvrp/expert/linked_routes.h"
#include "problems/cvrp/expert/string_removal.h"

namespace eco {

class RuinRecreate {
 public:
  RuinRecreate(const Instance& instance, const DistanceTable& distance,
               const NeighbourLists& neighbours, const TiedEnds& fragments, const Solution& start,
               std::uint64_t seed);

  // From here on with these routes alone, which may be some of all (no fragments), and these draws.
  void assign(Routes routes, const Rng& rng);
  // No more routes than this, or than there are.
  void limit_routes(std::size_t most_routes) { insertion_.limit_routes(most_routes); }

  // Accepts a rebuilt solution that is longer by less than temperature * E, E exponential.
  void step(double temperature);
  [[nodiscard]] double best_cost() const { return best_cost_; }
  [[nodiscard]] Solution best() const { return from_routes(best_routes_); }
  [[nodiscard]] const Routes& best_routes() const { return best_routes_; }
  [[nodiscard]] Routes routes() const;
  [[nodiscard]] Solution solution() const { return from_routes(routes()); }

 private:
  void undo(std::size_t inserted);
  void mark_changed();
  void save_best();

  Rng rng_;
  LinkedRoutes routes_;
  StringRemoval removal_;
  GreedyInsertion insertion_;
  double cost_;
  double best_cost_;
  Routes best_routes_;  // by route index, empty ones included
  std::vector<Removal> removed_;
  std::vector<std::uint32_t> absent_;
  // Routes that may differ from best_routes_: only those are copied when a new best is found.
  std::vector<std::uint32_t> changed_;
  std::vector<unsigned char> is_changed_;
};

}  // namespace eco
