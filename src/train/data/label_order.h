#pragma once
// A label is a set of routes; the order in which a policy is asked to write it down is ours to
// choose. TSP tours are cyclic and have no direction: both are drawn at random. CVRP routes come in
// random order and direction for the pointer scorer, and chained for the candidate scorer, where
// the next route must be one that a reader of the map could predict.

#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/instance.h"

namespace eco::train {

// One step of the candidate scorer: the next node, and whether the vehicle passes the depot first.
struct Visit {
  NodeId node;
  bool via_depot = false;
  friend bool operator==(const Visit&, const Visit&) = default;
};

// Symmetry 0..7 of the square: bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps the axes. Exact.
void apply_symmetry(Instance& instance, unsigned symmetry);

// The tour from a random node in a random direction.
[[nodiscard]] std::vector<NodeId> random_start(const Solution& tour, Rng& rng);

// The routes in random order, each in a random direction.
[[nodiscard]] Solution shuffled_routes(const Solution& solution, Rng& rng);

// Where to go on from a node: the route with an endpoint nearest to it (ties: the earlier route,
// its first endpoint), and whether it is entered at its end.
struct Entry {
  std::size_t route = 0;
  bool reversed = false;
};
[[nodiscard]] Entry nearest_entry(const Instance& instance, NodeId from, const Routes& routes);

// After a route that ends at customer e comes the one with an endpoint nearest to e (ties: the
// earlier route of the label, its first endpoint), entered there. `first` and `reversed` choose the
// opening route. The first visit of the plan is not via the depot: the vehicle starts there.
[[nodiscard]] std::vector<Visit> chained_routes(const Instance& instance, const Solution& solution,
                                                std::size_t first, bool reversed);

}  // namespace eco::train
