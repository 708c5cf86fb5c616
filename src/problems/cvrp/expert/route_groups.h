#pragma once
// Routes in groups of neighbours, so that several searches can work at the same time: what a step
// changes lies close together, so a group loses little by not seeing the others, and the next
// grouping is another one.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/instance.h"
#include "problems/cvrp/expert/distance_table.h"

namespace eco {

class RouteGroups {
 public:
  RouteGroups(const Instance& instance, const DistanceTable& distance);

  // As many groups as there are routes at most, of nearly as many customers each. Sectors around
  // the depot in even rounds, places along a Hilbert curve in odd ones; where the first one begins
  // is drawn.
  [[nodiscard]] std::vector<Routes> split(Routes routes, std::size_t groups, std::uint64_t round,
                                          Rng& rng) const;

 private:
  [[nodiscard]] std::vector<std::uint32_t> in_order(const Routes& routes, bool sectors) const;

  // By node. Without coordinates: the distances from the depot and from the node that is farthest
  // from it, which are close for nodes that are.
  std::vector<Point> points_;
};

}  // namespace eco
