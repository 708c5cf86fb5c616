#pragma once
// The ruin half of slack induction by string removals (Christiaens and Vanden Berghe, 2020): around
// a random customer, take a string of consecutive stops out of each of a few neighbouring routes.
// Routes that are close to each other get room at the same time, so customers can change places.
// Stops are those of LinkedRoutes: customers, or paths that are not to be taken apart.

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/search/neighbours.h"
#include "problems/cvrp/expert/linked_routes.h"

namespace eco {

// Enough to put a stop back as it was, if removals are undone last to first.
struct Removal {
  std::uint32_t head, previous, route;
};

struct StringRemovalOptions {
  double mean_removed = 10;        // stops taken out by one ruin, on average
  double longest_string = 10;      // stops in one string at most
  double split_probability = 0.5;  // a string keeps a few of its stops in the middle
  double split_growth = 0.01;      // probability that one more of them is kept
};

class StringRemoval {
 public:
  // Nodes 1 to `stops` are one of each stop.
  StringRemoval(const NeighbourLists& neighbours, std::size_t stops,
                const StringRemovalOptions& options)
      : neighbours_(&neighbours), stops_(stops), options_(options) {
    std::iota(stops_.begin(), stops_.end(), 1U);
  }

  // The stops that are there, if those are not all: a node of each.
  void set_stops(std::vector<std::uint32_t> stops) { stops_ = std::move(stops); }

  // Appends to `removed` in the order of removal; returns the change of the total length.
  double ruin(LinkedRoutes& routes, Rng& rng, std::vector<Removal>& removed);

 private:
  // `head` is in the string, wherever that begins.
  double remove_string(LinkedRoutes& routes, std::uint32_t head, std::uint32_t length, Rng& rng,
                       std::vector<Removal>& removed);

  const NeighbourLists* neighbours_;
  std::vector<std::uint32_t> stops_;
  StringRemovalOptions options_;
  std::vector<std::uint32_t> ruined_;  // routes that lost a string in this ruin
};

}  // namespace eco
