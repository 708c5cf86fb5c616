#pragma once
// The recreate half: absent stops go, one after the other, to their cheapest feasible place; a path
// of two ends either way round. Each place is overlooked ("blinked") with a small probability,
// which is what varies the result. Places are looked for beside the nearest neighbours and at both
// ends of every route; only if none of those has room, everywhere.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/search/neighbours.h"
#include "problems/cvrp/expert/linked_routes.h"

namespace eco {

struct GreedyInsertionOptions {
  double blink_probability = 0.01;
  std::size_t neighbours = 20;  // of a customer, beside which places are looked for
};

class GreedyInsertion {
 public:
  GreedyInsertion(const Instance& instance, const DistanceTable& distance,
                  const NeighbourLists& neighbours, const TiedEnds& fragments,
                  const GreedyInsertionOptions& options);

  // Reorders `absent` (a node of each stop) and inserts in that order until all are in, the length
  // has grown by more than `allowance`, or one fits into no route and there are `most_routes`
  // already. Returns the growth; `inserted` says how many went in.
  double recreate(LinkedRoutes& routes, Rng& rng, std::vector<std::uint32_t>& absent,
                  double allowance, std::size_t& inserted);
  // Inserts all that fit into routes that are there; the others stay, at the end of `absent`.
  double insert_what_fits(LinkedRoutes& routes, Rng& rng, std::vector<std::uint32_t>& absent,
                          std::size_t& inserted);
  void limit_routes(std::size_t most_routes) { most_routes_ = most_routes; }
  // From here on it is a function of what it is given.
  void restart(Rng& rng) { draw_blink(rng); }

 private:
  struct Place {
    double growth;
    std::uint32_t head, previous, route;  // arguments of LinkedRoutes::insert
  };
  // The nodes of a stop in one of its directions; the same one if it is a customer.
  struct Ends {
    std::uint32_t near, far;
  };

  struct Near {
    double distance;
    std::uint32_t node;
  };
  [[nodiscard]] std::span<const Near> near_of(std::uint32_t node) const {
    return {near_.data() + offset_[node], near_.data() + offset_[node + 1]};
  }
  void sort(std::vector<std::uint32_t>& absent, Rng& rng) const;
  // Infinite growth if it fits nowhere.
  [[nodiscard]] Place best_place(const LinkedRoutes& routes, std::uint32_t node, Rng& rng) {
    const Place place = best_near(routes, node, rng);
    return place.growth < std::numeric_limits<double>::infinity() ? place
                                                                  : best_anywhere(routes, node);
  }
  [[nodiscard]] Place best_near(const LinkedRoutes& routes, std::uint32_t node, Rng& rng);
  [[nodiscard]] Place best_anywhere(const LinkedRoutes& routes, std::uint32_t node) const;
  // Lower `best` to the best place between the depot and a route, `far` at the depot, ...
  void look_at_depot(const LinkedRoutes& routes, Ends ends, Rng& rng, Place& best);
  // ... or beside a neighbour of `near`. One node: both ends are the same.
  template <bool one_node>
  void look_beside(const LinkedRoutes& routes, Ends ends, Rng& rng, Place& best);
  // True with the blink probability.
  bool blink(Rng& rng) {
    if (--until_blink_ > 0) return false;
    draw_blink(rng);
    return true;
  }
  void draw_blink(Rng& rng);

  const DistanceTable* distance_;
  TiedEnds fragments_;
  GreedyInsertionOptions options_;
  std::vector<Near> near_;                     // of all nodes, nearest first
  std::vector<std::size_t> offset_;            // [nodes + 1], where each node's begin
  std::vector<double> from_depot_, to_depot_;  // by node
  // The same as what is saved when something comes between: minus infinity where nothing may.
  std::vector<double> gap_from_depot_, gap_to_depot_;
  std::vector<std::int64_t> demands_;
  bool symmetric_;
  // Without a triangle inequality, or with ways home that cost nothing, a route of its own may be
  // shorter than a place in another.
  bool any_lengths_;
  std::size_t most_routes_ = std::numeric_limits<std::size_t>::max();
  std::int64_t until_blink_ = 1;  // places until the next one that is overlooked
};

}  // namespace eco
