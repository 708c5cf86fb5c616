#include "core/search/problem_search.h"
#include "problems/cvrp/construct/cut_into_routes.h"
#include "problems/cvrp/construct/cvrp_nearest_neighbour.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/cvrp/search/local_search.h"

namespace eco::cvrp {

namespace {

// Both leave nothing open that a seed could draw.
std::optional<Solution> nearest_neighbour(const Instance& instance, std::uint64_t,
                                          const Deadline& deadline) {
  return nearest_neighbour_routes(instance, deadline);
}
std::optional<Solution> savings(const Instance& instance, std::uint64_t, const Deadline& deadline) {
  return savings_routes(instance, deadline);
}

constexpr std::array<ProblemSearch::Construction, 2> kConstructions{{
    {ConstructMethod::nearest_neighbour, nearest_neighbour},
    {ConstructMethod::savings, savings},
}};

}  // namespace

constinit const ProblemSearch search{
    .constructions = kConstructions,
    .in_order = cut_into_routes,
    .make_local_search = make_cvrp_local_search,
    .operators = kCvrpOperators,
    .refine_neighbours = 40,
};

}  // namespace eco::cvrp
