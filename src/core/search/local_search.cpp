#include "core/search/local_search.h"

#include "core/search/problem_search.h"

namespace eco {

std::unique_ptr<LocalSearch> make_local_search(const Instance& instance,
                                               const LocalSearchOptions& options) {
  return search_of(instance.kind).make_local_search(instance, options);
}

LocalSearchResult local_search(const Instance& instance, Solution& solution,
                               const LocalSearchOptions& options) {
  return make_local_search(instance, options)->improve(solution);
}

std::span<const std::string_view> search_operators(ProblemKind kind) {
  return search_of(kind).operators;
}

LocalSearchResult refine(const Instance& instance, Solution& solution, const Deadline& deadline) {
  LocalSearchOptions options;
  options.mode = SearchMode::full;
  options.neighbours = search_of(instance.kind).refine_neighbours;
  options.deadline = deadline;
  return local_search(instance, solution, options);
}

}  // namespace eco
