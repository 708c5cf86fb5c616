#pragma once
// CVRP instances that search must survive: every geometry and metric of tsp_instances.h combined
// with loose, tight, unit, zero and vehicle-filling demands; and random feasible solutions.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/search/tsp_instances.h"
#include "problems/cvrp/rules/state.h"

namespace eco::testing {

inline constexpr std::uint64_t kDemandShapes = 5;

inline Instance with_demands(Instance instance, std::uint64_t shape, std::uint64_t seed) {
  Rng rng(seed, 1000 + shape);
  instance.kind = ProblemKind::cvrp;
  instance.demands.assign(instance.size(), 0);
  instance.capacity = 10 + rng.below(40);
  for (std::size_t i = 1; i < instance.size(); ++i) {
    switch (shape % kDemandShapes) {
      case 1:  // most vehicles are filled by one or two customers
        instance.demands[i] = rng.between(instance.capacity / 3, instance.capacity);
        break;
      case 2:  // one customer fills a vehicle
        instance.demands[i] = instance.capacity;
        break;
      case 3:  // many without a demand
        instance.demands[i] = rng.below(2) == 0 ? 0 : rng.between(0, 9);
        break;
      case 4:  // one vehicle takes all
        instance.demands[i] = 1;
        instance.capacity = static_cast<std::int64_t>(instance.size());
        break;
      default:
        instance.demands[i] = rng.between(1, 9);
        break;
    }
  }
  validate(instance);
  return instance;
}

// `variant` runs through all pairs of geometry and demands.
inline Instance cvrp_instance(std::size_t customers, std::uint64_t variant, std::uint64_t seed) {
  return with_demands(tsp_instance(customers + 1, variant % kShapes, seed), variant / kShapes,
                      seed);
}

// Of any kind by seed, matrices among them.
inline Instance any_cvrp_instance(std::size_t customers, std::uint64_t seed) {
  return seed % 10 == 9 ? with_demands(random_matrix(customers + 1, seed), seed, seed)
                        : cvrp_instance(customers, seed % (kShapes * kDemandShapes), seed);
}

// Customers in random order; a vehicle returns when it is full, and sometimes before.
inline Solution random_routes(const Instance& instance, std::uint64_t seed) {
  Rng rng(seed, 8);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 1; i < instance.size(); ++i) order.push_back(i);
  rng.shuffle(std::span(order));
  CvrpState state(instance);
  for (const std::uint32_t customer : order) {
    if (!state.feasible(NodeId(customer)) || (state.current() != kDepot && rng.below(8) == 0)) {
      state.step(kDepot);
    }
    state.step(NodeId(customer));
  }
  state.step(kDepot);
  return state.solution();
}

}  // namespace eco::testing
