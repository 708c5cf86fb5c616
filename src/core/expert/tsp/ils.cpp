#include "core/expert/tsp/ils.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/expert/tsp/greedy.h"
#include "core/expert/tsp/or_opt.h"
#include "core/expert/tsp/reduced_instance.h"
#include "core/instance/distance.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"

namespace eco {

namespace {

constexpr std::size_t kNeighbours = 8;
constexpr std::size_t kSmallestToSearch = 4;   // below, there is one tour
constexpr std::size_t kSmallestToPerturb = 5;  // at 4, a local optimum is the best tour
// Of a perturbation, in nodes. Short segments are repaired sooner but soon find nothing new: at
// 1,000 nodes 50 is the better choice from a tenth of a second on.
constexpr std::uint32_t kLongestSegment = 50;
constexpr double kRelativeTolerance = 1e-13;  // of the tour: below, a gain may be rounding
constexpr std::uint64_t kStepsBetweenClockReads = 16;

template <class Distance>
class IteratedSearch {
 public:
  IteratedSearch(const Distance& distance, const NeighbourLists& neighbours,
                 std::vector<std::uint32_t> start, std::uint64_t seed)
      : search_(distance, neighbours), nodes_(start.size()), rng_(seed) {
    double length = distance(start.back(), start.front());
    for (std::size_t i = 1; i < nodes_; ++i) length += distance(start[i - 1], start[i]);
    tolerance_ = kRelativeTolerance * length;
    search_.set_tolerance(tolerance_);
    for (const std::uint32_t node : start) search_.wake(node);
    search_.tour().assign(std::move(start));
  }

  void run(std::uint64_t iterations, const Deadline& deadline) {
    search_.settle(deadline);
    search_.forget_changes();
    const Deadline never;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      if (i % kStepsBetweenClockReads == 0 && deadline.reached()) return;
      const double change = perturb() - search_.settle(never);
      if (change > tolerance_) {
        search_.take_back_changes();
      } else {
        search_.forget_changes();
      }
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> order() { return search_.tour().order(); }

 private:
  // a [b1..b2] [c1..c2] [d1..d2] e becomes a [d1..d2] [c1..c2] [b1..b2] e; returns the growth.
  double perturb() {
    const ArrayTour& tour = search_.tour();
    const auto nodes = static_cast<std::uint32_t>(nodes_);
    const std::uint32_t longest = std::min(kLongestSegment, (nodes - 2) / 3);
    const auto at = [&](std::uint32_t place) { return tour.at(place % nodes); };
    std::uint32_t place = rng_.below(nodes);
    const std::uint32_t a = at(place), b1 = at(place + 1);
    place += 1 + rng_.below(longest);
    const std::uint32_t b2 = at(place), c1 = at(place + 1);
    place += 1 + rng_.below(longest);
    const std::uint32_t c2 = at(place), d1 = at(place + 1);
    place += 1 + rng_.below(longest);
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

  OrOpt<Distance> search_;
  std::size_t nodes_;
  Rng rng_;
  double tolerance_ = 0;
};

}  // namespace

std::uint64_t default_ils_iterations(std::size_t nodes) {
  return 3 * static_cast<std::uint64_t>(nodes);
}

Solution solve_tsp(const Instance& instance, const IlsOptions& options) {
  if (instance.kind != ProblemKind::tsp) {
    throw Error(ErrorKind::usage, "the TSP expert was given an instance of another problem");
  }
  require_symmetric(instance);
  const ReducedInstance reduced(instance);
  const Instance& problem = reduced.instance();
  const std::size_t nodes = problem.size();

  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  if (nodes >= kSmallestToSearch) {
    std::uint64_t iterations = options.iterations;
    if (iterations == 0) {
      iterations = std::isinf(options.deadline.seconds_left())
                       ? default_ils_iterations(nodes)
                       : std::numeric_limits<std::uint64_t>::max();
    }
    if (nodes < kSmallestToPerturb) iterations = 0;
    const NeighbourLists neighbours(problem, kNeighbours);
    order = greedy_tour(problem, neighbours);
    with_distance(problem, [&](auto distance) {
      IteratedSearch search(distance, neighbours, std::move(order), options.seed);
      search.run(iterations, options.deadline);
      order.assign(search.order().begin(), search.order().end());
    });
  }
  return reduced.expand(order);
}

}  // namespace eco
