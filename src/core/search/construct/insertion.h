#pragma once
// Insertion tours: nodes enter one by one at the place where the tour grows least. O(N^2), exact:
// every place is compared.
//   random    nodes in random order
//   farthest  always the node that is farthest from the tour so far

#include <cstdint>

#include "core/instance/instance.h"

namespace eco {

// Both throw eco::Error (input) if an explicit matrix is not symmetric.
[[nodiscard]] Solution random_insertion_tour(const Instance& instance, std::uint64_t seed);
[[nodiscard]] Solution farthest_insertion_tour(const Instance& instance, std::uint64_t seed);

}  // namespace eco
