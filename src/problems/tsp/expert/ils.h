#pragma once
// The TSP expert: iterated local search. From a greedy tour brought to a local optimum, again and
// again: reorder three short neighbouring segments (a small double bridge), repair only what that
// touched, keep the result unless it is longer. A little longer is kept too, less and less towards
// the end, as in simulated annealing; the shortest tour is what comes out. Forced edges stay: the
// search sees the two ends of a forced path and never parts them.

#include <cstdint>
#include <functional>
#include <span>

#include "core/base/deadline.h"
#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco {

struct IlsOptions {
  std::uint64_t iterations = 0;  // 0: by size, or no limit if the deadline is a point in time
  Deadline deadline;
  std::uint64_t seed = 0;
  std::function<void(double)> progress;  // told the share of the budget that is gone
  // Edges that the tour must have: disjoint paths, or one whole tour.
  std::span<const Edge> forced;
  // A tour with these edges to begin with, which is never made longer; nullptr: a greedy one.
  const Solution* start = nullptr;
};

// What `iterations = 0` stands for without a deadline: about 5 ms at 100 nodes. Nodes inside forced
// paths do not count.
[[nodiscard]] std::uint64_t default_ils_iterations(std::size_t nodes);

// A function of instance and options alone, unless the deadline strikes first; then the best tour
// so far. Throws eco::Error (input) if an explicit matrix is not symmetric, if the forced edges are
// not as said above or if the start is no tour or lacks one of them.
[[nodiscard]] Solution solve_tsp(const Instance& instance, const IlsOptions& options = {});

}  // namespace eco
