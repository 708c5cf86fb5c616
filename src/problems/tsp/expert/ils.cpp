#include "problems/tsp/expert/ils.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/expert/forced_paths.h"
#include "core/instance/distance.h"
#include "core/problem/problem.h"
#include "core/search/construct/curve.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"
#include "problems/tsp/expert/directed.h"
#include "problems/tsp/expert/greedy.h"
#include "problems/tsp/expert/reduced_instance.h"
#include "problems/tsp/expert/search_team.h"

namespace eco {

namespace {

constexpr std::size_t kNeighbours = 8;
constexpr std::size_t kOfEachQuarter = 2;     // where nodes lie in clusters, all 8 may be in one
constexpr std::size_t kSmallestToSearch = 4;  // below, there is one tour

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

  TourSearch search{ils_budget(options, nodes), options.threads, options.seed, options.progress};
  const NeighbourLists neighbours(problem, kNeighbours, options.deadline, kOfEachQuarter);
  order = options.start != nullptr
              ? reduced.reduce(*options.start)
              : greedy_tour(problem, neighbours, reduced.partner(), options.deadline);
  if (order.empty() || !neighbours.complete()) {  // no time even for a start
    return order.empty() ? order_along_curve(problem, reduced.partner()) : order;
  }
  // Points are numbered along a curve; a matrix has only the tour to go by.
  std::vector<std::uint32_t> along(nodes);
  std::iota(along.begin(), along.end(), 0U);
  if (problem.metric == Metric::matrix) along = order;
  with_distance(problem, [&](auto distance) {
    if (reduced.partner().empty()) {
      search.run(distance, neighbours, NoTies{}, along, order);
    } else {
      search.run(distance, neighbours, Partners{reduced.partner()}, along, order);
    }
  });
  return order;
}

}  // namespace

IlsBudget ils_budget(const IlsOptions& options, std::size_t nodes) {
  IlsBudget budget;
  budget.iterations = options.iterations;
  budget.deadline = options.deadline;
  budget.by_time = options.iterations == 0 && options.deadline.limited();
  if (budget.iterations == 0) budget.iterations = default_ils_iterations(nodes);
  if (budget.by_time) budget.iterations = std::numeric_limits<std::uint64_t>::max();
  return budget;
}

std::uint64_t default_ils_iterations(std::size_t nodes) {
  // Larger instances need more steps a node for the same gap.
  return nodes * std::min<std::uint64_t>(10, 3 + nodes / 200);
}

Solution solve_tsp(const Instance& instance, const IlsOptions& options) {
  if (instance.kind != ProblemKind::tsp) {
    throw Error(ErrorKind::usage, "the TSP expert was given an instance of another problem");
  }
  if (!is_symmetric(instance)) return solve_directed(instance, options);
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
