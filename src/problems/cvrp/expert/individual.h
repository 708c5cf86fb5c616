#pragma once
// A member of the population: routes that may exceed the capacity, and what the search asks of
// them. Two individuals differ by the share of edges ("pairs") that one has and the other has not.

#include <cstdint>
#include <vector>

#include "core/instance/instance.h"

namespace eco {

using CustomerRoutes = std::vector<std::vector<std::uint32_t>>;

struct Individual {
  CustomerRoutes routes;  // no empty ones
  double length = 0;
  std::int64_t excess = 0;                    // load above the capacity, all routes together
  std::vector<std::uint32_t> next, previous;  // by customer; 0 is the depot
  std::vector<std::uint32_t> giant_tour;      // all routes, end to end

  [[nodiscard]] bool feasible() const { return excess == 0; }
  [[nodiscard]] double penalised(double penalty) const {
    return length + penalty * static_cast<double>(excess);
  }
};

// Share of the customers whose edges in `a` are not in `b`, 0 to 1.
[[nodiscard]] double broken_pairs(const Individual& a, const Individual& b);

}  // namespace eco
