#include "core/search/construct/construct.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/search/construct/curve.h"
#include "core/search/construct/straighten.h"
#include "problems/cvrp/construct/cvrp_nearest_neighbour.h"
#include "problems/cvrp/construct/savings.h"
#include "problems/tsp/construct/insertion.h"
#include "problems/tsp/construct/nearest_neighbour.h"

namespace eco {

namespace {

constexpr std::array<std::string_view, 4> kNames{"nn", "random-insertion", "farthest-insertion",
                                                 "savings"};

[[noreturn]] void refuse(ConstructMethod method, ProblemKind kind) {
  throw Error(ErrorKind::usage, "there is no construction " + quoted(to_string(method)) +
                                    " for the problem " + std::string(to_string(kind)));
}

std::optional<Solution> construct_tsp(const Instance& instance, ConstructMethod method,
                                      std::uint64_t seed, const Deadline& deadline) {
  switch (method) {
    case ConstructMethod::nearest_neighbour:
      return nearest_neighbour_tour(instance, seed, deadline);
    case ConstructMethod::random_insertion:
      return random_insertion_tour(instance, seed, deadline);
    case ConstructMethod::farthest_insertion:
      return farthest_insertion_tour(instance, seed, deadline);
    case ConstructMethod::savings:
      break;
  }
  refuse(method, instance.kind);
}

std::optional<Solution> construct_cvrp(const Instance& instance, ConstructMethod method,
                                       const Deadline& deadline) {
  switch (method) {
    case ConstructMethod::nearest_neighbour:
      return nearest_neighbour_routes(instance, deadline);
    case ConstructMethod::savings:
      return savings_routes(instance, deadline);
    case ConstructMethod::random_insertion:
    case ConstructMethod::farthest_insertion:
      break;
  }
  refuse(method, instance.kind);
}

std::optional<Solution> construct_if_in_time(const Instance& instance, ConstructMethod method,
                                             std::uint64_t seed, const Deadline& deadline) {
  switch (instance.kind) {
    case ProblemKind::cvrp:
      return construct_cvrp(instance, method, deadline);
    case ProblemKind::tsp:
      break;
  }
  return construct_tsp(instance, method, seed, deadline);
}

}  // namespace

std::string_view to_string(ConstructMethod method) {
  return kNames[static_cast<std::size_t>(method)];
}

std::optional<ConstructMethod> construct_method_from(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<ConstructMethod>(i);
  }
  return std::nullopt;
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
