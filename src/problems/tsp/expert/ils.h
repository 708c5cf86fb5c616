#pragma once
// The TSP expert: iterated local search. From a greedy tour brought to a local optimum, again and
// again: reorder three short neighbouring segments (a small double bridge), repair only what that
// touched, keep the result unless it is longer. A little longer is kept too, less and less towards
// the end, as in simulated annealing; the shortest tour is what comes out. Forced edges stay: the
// search sees the two ends of a forced path and never parts them.

#include <cstdint>
#include <span>

#include "core/base/deadline.h"
#include "core/expert/progress.h"
#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco {

struct IlsOptions {
  // Of all threads together. 0: by size, or no limit if the deadline is a point in time.
  std::uint64_t iterations = 0;
  std::size_t threads = 1;  // at least 1
  Deadline deadline;
  std::uint64_t seed = 0;
  TellProgress progress;
  // Edges that the tour must have: disjoint paths, or one whole tour. Not with distances that
  // depend on the direction.
  std::span<const Edge> forced;
  // A tour with these edges to begin with, which is never made longer; nullptr: a greedy one.
  const Solution* start = nullptr;
};

// What `iterations = 0` stands for without a deadline: about 5 ms at 100 nodes. Nodes inside forced
// paths do not count.
[[nodiscard]] std::uint64_t default_ils_iterations(std::size_t nodes);

// A function of instance and options alone, unless the deadline strikes first; then the best tour
// so far. Throws eco::Error (input) if the forced edges are not as said above or if the start is no
// tour or lacks one of them.
[[nodiscard]] Solution solve_tsp(const Instance& instance, const IlsOptions& options = {});

}  // namespace eco
