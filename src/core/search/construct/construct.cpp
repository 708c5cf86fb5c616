#include "core/search/construct/construct.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/search/construct/curve.h"
#include "core/search/construct/straighten.h"
#include "core/search/problem_search.h"

namespace eco {

namespace {

constexpr std::array<std::string_view, 4> kNames{"nn", "random-insertion", "farthest-insertion",
                                                 "savings"};

std::optional<Solution> construct_if_in_time(const Instance& instance, ConstructMethod method,
                                             std::uint64_t seed, const Deadline& deadline) {
  for (const auto& construction : search_of(instance.kind).constructions) {
    if (construction.method == method) return construction.build(instance, seed, deadline);
  }
  throw Error(ErrorKind::usage, "there is no construction " + quoted(to_string(method)) +
                                    " for the problem " + std::string(to_string(instance.kind)));
}

}  // namespace

std::string_view to_string(ConstructMethod method) {
  return kNames[static_cast<std::size_t>(method)];
}

Solution construct(const Instance& instance, ConstructMethod method, std::uint64_t seed) {
  return *construct_if_in_time(instance, method, seed, {});
}

Construction construct(const Instance& instance, ConstructMethod method, std::uint64_t seed,
                       const Deadline& deadline) {
  // Made first: when a method finds that its time is over, there is none left for this either.
  std::optional<Solution> quick;
  if (deadline.limited() && method != ConstructMethod::nearest_neighbour) {
    quick = quick_solution(instance, seed, deadline);
  }
  if (auto made = construct_if_in_time(instance, method, seed, deadline)) {
    return {std::move(*made), true};
  }
  return {quick ? std::move(*quick) : curve_solution(instance), false};
}

Solution quick_solution(const Instance& instance, std::uint64_t seed, const Deadline& deadline) {
  auto nearest = construct_if_in_time(instance, ConstructMethod::nearest_neighbour, seed, deadline);
  if (!nearest) return curve_solution(instance);
  straighten(instance, *nearest);
  return std::move(*nearest);
}

}  // namespace eco
