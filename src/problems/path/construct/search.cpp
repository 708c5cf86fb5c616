#include <algorithm>

#include "core/search/problem_search.h"
#include "problems/path/rules/ends.h"
#include "problems/path/rules/state.h"
#include "problems/path/search/local_search.h"
#include "problems/tsp/construct/insertion.h"
#include "problems/tsp/construct/nearest_neighbour.h"

namespace eco::path {

namespace {

// The nodes in the order of a tour, from a given start to a given end. Where no more than one end
// is given, a tour is opened at its longest edge; it may lack the one between two given ends.
Solution opened(const Instance& instance, Solution tour) {
  if (!instance.start || !instance.end) {
    cut_open(instance, tour);
    return tour;
  }
  PathState state(instance);
  auto& nodes = tour.sequence;
  std::rotate(nodes.begin(), std::find(nodes.begin(), nodes.end(), *instance.start), nodes.end());
  state.complete(nodes);
  return state.solution();
}

template <auto build_tour>
std::optional<Solution> by_tour(const Instance& instance, std::uint64_t seed,
                                const Deadline& deadline) {
  std::optional<Solution> tour = build_tour(instance, seed, deadline);
  if (tour) tour = opened(instance, std::move(*tour));
  return tour;
}

std::optional<Solution> random_insertion(const Instance& instance, std::uint64_t seed,
                                         const Deadline& deadline) {
  return random_insertion_tour(instance, seed, deadline);
}
std::optional<Solution> farthest_insertion(const Instance& instance, std::uint64_t seed,
                                           const Deadline& deadline) {
  return farthest_insertion_tour(instance, seed, deadline);
}

constexpr std::array<ProblemSearch::Construction, 3> kConstructions{{
    {ConstructMethod::nearest_neighbour, by_tour<nearest_neighbour_tour>},
    {ConstructMethod::random_insertion, by_tour<random_insertion>},
    {ConstructMethod::farthest_insertion, by_tour<farthest_insertion>},
}};

Solution path_in_order(const Instance& instance, std::span<const NodeId> order) {
  return opened(instance, {{order.begin(), order.end()}});
}

}  // namespace

constinit const ProblemSearch search{
    .constructions = kConstructions,
    .in_order = path_in_order,
    .make_local_search = make_path_local_search,
    .operators = kPathOperators,
};

}  // namespace eco::path
