#include "problems/tsp/expert/ils.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/expert/forced_paths.h"
#include "core/instance/distance.h"
#include "core/problem/problem.h"
#include "core/search/construct/curve.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"
#include "problems/tsp/expert/greedy.h"
#include "problems/tsp/expert/or_opt.h"
#include "problems/tsp/expert/reduced_instance.h"

namespace eco {

namespace {

constexpr std::size_t kNeighbours = 8;
constexpr std::size_t kSmallestToSearch = 4;  // below, there is one tour
constexpr std::size_t kCutEdges = 4;          // of a perturbation
// Segments of a perturbation, in nodes. Short segments are repaired sooner but soon find nothing
// new: at 1,000 nodes 50 is the better choice from a tenth of a second on.
constexpr std::uint32_t kLongestSegment = 50;
// How much longer a tour may become in a step: exponential with this mean at the start, in edges of
// mean length, falling to nothing at the end.
constexpr double kStartTemperature = 0.3;
constexpr double kRelativeTolerance = 1e-13;  // of the tour: below, a gain may be rounding
constexpr std::uint64_t kStepsBetweenClockReads = 16;

template <class Distance, class Ties>
class IteratedSearch {
 public:
  IteratedSearch(const Distance& distance, const NeighbourLists& neighbours, const Ties& ties,
                 std::vector<std::uint32_t> start, std::uint64_t seed)
      : search_(distance, neighbours, ties), nodes_(start.size()), rng_(seed) {
    double length = 0;
    for (std::size_t i = 0; i < nodes_; ++i) {
      const std::uint32_t from = start[(i == 0 ? nodes_ : i) - 1], to = start[i];
      if (ties.tied(from, to)) continue;
      length += distance(from, to);
      ++free_edges_;
    }
    mean_edge_ = length / static_cast<double>(free_edges_);
    tolerance_ = kRelativeTolerance * length;
    search_.set_tolerance(tolerance_);
    for (const std::uint32_t node : start) search_.wake(node);
    search_.tour().assign(std::move(start));
  }

  // `by_time`: progress is measured against the deadline, else in iterations.
  void run(std::uint64_t iterations, const Deadline& deadline, bool by_time,
           const std::function<void(double)>& tell) {
    const double seconds = deadline.seconds_left();
    search_.settle(deadline);
    search_.forget_changes();
    keep_as_best(0);
    // Tours that differ in three edges only: a local optimum is the best.
    if (free_edges_ < kCutEdges || nodes_ == kCutEdges) iterations = 0;
    const Deadline never;
    double progress = 0;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      if (i % kStepsBetweenClockReads == 0) {
        if (deadline.reached()) break;
        if (by_time) progress = std::min(1.0, 1.0 - deadline.seconds_left() / seconds);
        if (tell) tell(progress);
      }
      if (!by_time) progress = static_cast<double>(i) / static_cast<double>(iterations);
      const double temperature = kStartTemperature * mean_edge_ * (1.0 - progress);
      const double growth = perturb() - search_.settle(never);
      if (growth > -temperature * std::log(1.0 - rng_.uniform()) + tolerance_) {
        search_.take_back_changes();
        continue;
      }
      if (growth > tolerance_ && above_best_ < -tolerance_ && i >= next_copy_) {
        // About to leave the shortest tour so far: stay for this step and copy it.
        search_.take_back_changes();
        keep_as_best(i);
        continue;
      }
      search_.forget_changes();
      above_best_ += growth;
    }
    if (above_best_ > 0) search_.tour().assign(best_);
  }

  [[nodiscard]] std::span<const std::uint32_t> order() { return search_.tour().order(); }

 private:
  void keep_as_best(std::uint64_t iteration) {
    const auto order = search_.tour().order();
    best_.assign(order.begin(), order.end());
    above_best_ = 0;
    // Copies cost at most kCopiedNodes a step, whatever the size.
    constexpr std::uint64_t kCopiedNodes = 64;
    next_copy_ = iteration + nodes_ / kCopiedNodes;
  }

  // a [b1..b2] [c1..c2] [d1..d2] e becomes a [d1..d2] [c1..c2] [b1..b2] e; returns the growth.
  double perturb() {
    const ArrayTour& tour = search_.tour();
    const auto nodes = static_cast<std::uint32_t>(nodes_);
    // Where nodes are tied each cut may have to move on by one, and all four must fit into a round
    // trip; cuts at one free edge after the other always do.
    const std::uint32_t longest =
        free_edges_ == nodes_ ? (nodes - 2) / 3 : std::max(1U, (nodes - 4) / 3);
    const std::uint32_t bound = std::min(kLongestSegment, longest);
    const auto at = [&](std::uint32_t place) { return tour.at(place % nodes); };
    const auto free_edge = [&](std::uint32_t place) {
      return search_.tied(at(place), at(place + 1)) ? place + 1 : place;
    };
    std::uint32_t place = free_edge(rng_.below(nodes));
    const std::uint32_t a = at(place), b1 = at(place + 1);
    place = free_edge(place + 1 + rng_.below(bound));
    const std::uint32_t b2 = at(place), c1 = at(place + 1);
    place = free_edge(place + 1 + rng_.below(bound));
    const std::uint32_t c2 = at(place), d1 = at(place + 1);
    place = free_edge(place + 1 + rng_.below(bound));
    const std::uint32_t d2 = at(place), e = at(place + 1);

    const auto d = [&](std::uint32_t from, std::uint32_t to) { return search_.distance(from, to); };
    const double growth =
        d(a, d1) + d(d2, c1) + d(c2, b1) + d(b2, e) - d(a, b1) - d(b2, c1) - d(c2, d1) - d(d2, e);
    search_.exchange(a, b1, d2, e);
    search_.exchange(a, d2, d1, c2);
    search_.exchange(d2, c2, c1, b2);
    search_.exchange(c2, b2, b1, e);
    for (const std::uint32_t node : {a, b1, b2, c1, c2, d1, d2, e}) search_.wake(node);
    return growth;
  }

  OrOpt<Distance, Ties> search_;
  std::size_t nodes_;
  std::size_t free_edges_ = 0;  // all but those between tied nodes
  Rng rng_;
  double tolerance_ = 0;
  double mean_edge_ = 0;             // of the free ones
  std::vector<std::uint32_t> best_;  // a copy, taken now and then
  double above_best_ = 0;            // length of the tour less that of the copy
  std::uint64_t next_copy_ = 0;      // the first iteration that may copy again
};

// Along the space-filling curve, tied nodes together.
std::vector<std::uint32_t> order_along_curve(const Instance& problem,
                                             std::span<const std::uint32_t> partner) {
  std::vector<std::uint32_t> order;
  std::vector<bool> placed(problem.size());
  const auto place = [&](std::uint32_t node) {
    if (placed[node]) return;
    placed[node] = true;
    order.push_back(node);
  };
  for (const NodeId id : curve_solution(problem).sequence) {
    const auto node = static_cast<std::uint32_t>(id.index());
    const bool free = !placed[node];
    place(node);
    if (free && !partner.empty() && partner[node] < problem.size()) place(partner[node]);
  }
  return order;
}

std::vector<std::uint32_t> searched_order(const ReducedInstance& reduced,
                                          const IlsOptions& options) {
  const Instance& problem = reduced.instance();
  const std::size_t nodes = problem.size();
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  if (nodes < kSmallestToSearch) return order;

  const bool by_time = options.iterations == 0 && std::isfinite(options.deadline.seconds_left());
  std::uint64_t iterations = options.iterations;
  if (iterations == 0) iterations = default_ils_iterations(nodes);
  if (by_time) iterations = std::numeric_limits<std::uint64_t>::max();
  const NeighbourLists neighbours(problem, kNeighbours, options.deadline);
  order = options.start != nullptr
              ? reduced.reduce(*options.start)
              : greedy_tour(problem, neighbours, reduced.partner(), options.deadline);
  if (order.empty() || !neighbours.complete()) {  // no time even for a start
    return order.empty() ? order_along_curve(problem, reduced.partner()) : order;
  }
  with_distance(problem, [&](auto distance) {
    const auto search_with = [&](const auto& ties) {
      IteratedSearch search(distance, neighbours, ties, std::move(order), options.seed);
      search.run(iterations, options.deadline, by_time, options.progress);
      order.assign(search.order().begin(), search.order().end());
    };
    if (reduced.partner().empty()) {
      search_with(NoTies{});
    } else {
      search_with(Partners{reduced.partner()});
    }
  });
  return order;
}

}  // namespace

std::uint64_t default_ils_iterations(std::size_t nodes) {
  // Larger instances need more steps a node for the same gap.
  return nodes * std::min<std::uint64_t>(10, 3 + nodes / 200);
}

Solution solve_tsp(const Instance& instance, const IlsOptions& options) {
  if (instance.kind != ProblemKind::tsp) {
    throw Error(ErrorKind::usage, "the TSP expert was given an instance of another problem");
  }
  require_symmetric(instance);
  const ForcedPaths forced(instance, options.forced);
  const double start_cost =
      options.start != nullptr ? forced.require_start(instance, *options.start) : 0;
  Solution tour;
  if (forced.whole_tour()) {
    forced.append_path(0, tour.sequence);
    return tour;
  }
  const ReducedInstance reduced(instance, forced);
  tour = reduced.expand(searched_order(reduced, options));
  // Only where a metric breaks the triangle inequality: merging equal points can cost something.
  if (options.start != nullptr && cost(instance, tour) > start_cost) return *options.start;
  return tour;
}

}  // namespace eco
