#include "core/search/construct/construct.h"

#include <array>
#include <string>

#include "core/base/error.h"
#include "core/search/construct/cvrp_nearest_neighbour.h"
#include "core/search/construct/insertion.h"
#include "core/search/construct/nearest_neighbour.h"
#include "core/search/construct/savings.h"

namespace eco {

namespace {

constexpr std::array<std::string_view, 4> kNames{"nn", "random-insertion", "farthest-insertion",
                                                 "savings"};

[[noreturn]] void refuse(ConstructMethod method, ProblemKind kind) {
  throw Error(ErrorKind::usage, "there is no construction " + quoted(to_string(method)) +
                                    " for the problem " + std::string(to_string(kind)));
}

Solution construct_tsp(const Instance& instance, ConstructMethod method, std::uint64_t seed) {
  switch (method) {
    case ConstructMethod::nearest_neighbour:
      return nearest_neighbour_tour(instance, seed);
    case ConstructMethod::random_insertion:
      return random_insertion_tour(instance, seed);
    case ConstructMethod::farthest_insertion:
      return farthest_insertion_tour(instance, seed);
    case ConstructMethod::savings:
      break;
  }
  refuse(method, instance.kind);
}

Solution construct_cvrp(const Instance& instance, ConstructMethod method) {
  switch (method) {
    case ConstructMethod::nearest_neighbour:
      return nearest_neighbour_routes(instance);
    case ConstructMethod::savings:
      return savings_routes(instance);
    case ConstructMethod::random_insertion:
    case ConstructMethod::farthest_insertion:
      break;
  }
  refuse(method, instance.kind);
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
  switch (instance.kind) {
    case ProblemKind::cvrp:
      return construct_cvrp(instance, method);
    case ProblemKind::tsp:
      break;
  }
  return construct_tsp(instance, method, seed);
}

}  // namespace eco
