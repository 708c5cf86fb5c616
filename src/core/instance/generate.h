#pragma once
// Random instances. Instance `index` of a seed is a pure function of (options, index): it is the
// same whatever the count, the number of threads or the order in which instances are made.
//
// Uniform, clustered, mixture and board live in the unit square with exact distances (the
// convention of the neural literature); `x` lives on the integer grid 0..1000 with rounded
// distances and follows the construction of the CVRPLIB X set (Uchoa et al., EJOR 257, 2017).

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/instance/instance.h"

namespace eco {

enum class Distribution : std::uint8_t {
  uniform,    // independent uniform points
  clustered,  // density decays exponentially around a few seeds
  mixture,    // a few Gaussians of random weight, spread, elongation and direction
  x,          // the X set's construction
  board,      // lattices of holes with wide gaps between them, as on circuit boards
  panel,      // a board copied in rows and columns, far apart
};
enum class DepotPlacement : std::uint8_t { random, centre, corner };
enum class CustomerPlacement : std::uint8_t { random, clustered, mixed };  // of Distribution::x
enum class DemandClass : std::uint8_t {
  paper,        // 1..9
  unit,         // all 1
  small_wide,   // 1..10
  small_tight,  // 5..10
  large_wide,   // 1..100
  large_tight,  // 50..100
  quadrant,     // 1..50 in the second and fourth quadrant, 51..100 in the others
  few_large,    // 70 to 95% of the customers 1..10, the others 50..100
};

struct GeneratorOptions {
  ProblemKind kind = kProblems.front();
  Distribution distribution = Distribution::uniform;
  std::size_t nodes = 100;  // a depot comes on top, as the literature counts
  std::uint64_t seed = 1234;

  std::size_t clusters =
      0;  // or patterns of a board or panel; 0: drawn from 3..8 for each instance

  // With a depot. Where nothing is given, `x` draws the attribute anew for each instance, and the
  // others use a random depot, demands 1..9 and default_capacity().
  std::optional<DepotPlacement> depot;
  std::optional<CustomerPlacement> customers;  // x only, without a depot too
  std::optional<DemandClass> demands;
  std::optional<std::int64_t> capacity;
  std::optional<double> route_size;  // mean customers a route, from which the capacity follows
};

// Throws eco::Error (usage) if the options contradict each other.
void validate(const GeneratorOptions& options);

[[nodiscard]] Instance generate(const GeneratorOptions& options, std::uint64_t index);

// The paper's capacities 30/40/50/80/150/250 at 20/50/100/200/500/1000 customers; linear in between
// (rounded), 30 below, and beyond 1000 growing with the square root, so that the number of routes
// and their length grow alike (rounded to tens).
[[nodiscard]] std::int64_t default_capacity(std::size_t customers);

[[nodiscard]] std::string_view to_string(Distribution distribution);
[[nodiscard]] std::string_view to_string(DepotPlacement depot);
[[nodiscard]] std::string_view to_string(CustomerPlacement customers);
[[nodiscard]] std::string_view to_string(DemandClass demands);
[[nodiscard]] std::optional<Distribution> distribution_from(std::string_view name);
[[nodiscard]] std::optional<DepotPlacement> depot_placement_from(std::string_view name);
[[nodiscard]] std::optional<CustomerPlacement> customer_placement_from(std::string_view name);
[[nodiscard]] std::optional<DemandClass> demand_class_from(std::string_view name);

}  // namespace eco
