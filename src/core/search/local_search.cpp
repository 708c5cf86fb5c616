#include "core/search/local_search.h"

#include "problems/cvrp/search/local_search.h"
#include "problems/tsp/search/local_search.h"

namespace eco {

std::unique_ptr<LocalSearch> make_local_search(const Instance& instance,
                                               const LocalSearchOptions& options) {
  switch (instance.kind) {
    case ProblemKind::cvrp:
      return make_cvrp_local_search(instance, options);
    case ProblemKind::tsp:
      break;
  }
  return make_tsp_local_search(instance, options);
}

LocalSearchResult local_search(const Instance& instance, Solution& solution,
                               const LocalSearchOptions& options) {
  return make_local_search(instance, options)->improve(solution);
}

std::span<const std::string_view> search_operators(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::cvrp:
      return cvrp_search_operators();
    case ProblemKind::tsp:
      break;
  }
  return tsp_search_operators();
}

LocalSearchResult refine(const Instance& instance, Solution& solution, const Deadline& deadline) {
  LocalSearchOptions options;
  options.mode = SearchMode::full;
  options.neighbours = instance.kind == ProblemKind::cvrp ? 40 : 10;
  options.deadline = deadline;
  return local_search(instance, solution, options);
}

}  // namespace eco
