#include "core/search/problem_search.h"
#include "problems/tsp/construct/insertion.h"
#include "problems/tsp/construct/nearest_neighbour.h"
#include "problems/tsp/search/local_search.h"

namespace eco::tsp {

namespace {

std::optional<Solution> random_insertion(const Instance& instance, std::uint64_t seed,
                                         const Deadline& deadline) {
  return random_insertion_tour(instance, seed, deadline);
}
std::optional<Solution> farthest_insertion(const Instance& instance, std::uint64_t seed,
                                           const Deadline& deadline) {
  return farthest_insertion_tour(instance, seed, deadline);
}

constexpr std::array<ProblemSearch::Construction, 3> kConstructions{{
    {ConstructMethod::nearest_neighbour, nearest_neighbour_tour},
    {ConstructMethod::random_insertion, random_insertion},
    {ConstructMethod::farthest_insertion, farthest_insertion},
}};

Solution tour_in_order(const Instance&, std::span<const NodeId> order) {
  return {{order.begin(), order.end()}};
}

}  // namespace

constinit const ProblemSearch search{
    .constructions = kConstructions,
    .in_order = tour_in_order,
    .make_local_search = make_tsp_local_search,
    .operators = kTspOperators,
};

}  // namespace eco::tsp
