#include "problems/tsp/search/two_opt.h"

namespace eco {

double TwoOpt::improve_at(TourState& tour, std::uint32_t node) {
  double gain = 0;
  for (const bool forward : {true, false}) {
    const auto beside = [&](std::uint32_t n) { return forward ? tour.next(n) : tour.previous(n); };
    const std::uint32_t node_end = beside(node);
    const double removed = tour.distance(node, node_end);
    // In any improving exchange one new edge is shorter than the old edge at one of its ends, so
    // looking around every node within its own edge's length misses none.
    const bool found = tour.any_within(node, removed, [&](std::uint32_t other, double added) {
      const std::uint32_t other_end = beside(other);
      gain = removed + tour.distance(other, other_end) - added - tour.distance(node_end, other_end);
      if (gain <= tour.tolerance()) return false;
      if (forward) {
        tour.exchange(node, node_end, other, other_end);
      } else {
        tour.exchange(node_end, node, other_end, other);
      }
      for (const std::uint32_t n : {node, node_end, other, other_end}) tour.touch(n);
      return true;
    });
    if (found) return gain;
  }
  return 0;
}

}  // namespace eco
