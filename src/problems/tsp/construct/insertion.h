#pragma once
// Insertion tours: nodes enter one by one at the place where the tour grows least.
//   random    nodes in random order
//   farthest  always the node that is farthest from the tour so far
// Up to kExactInsertion nodes, and for matrices, every place is compared: O(N^2). Larger instances
// look beside the nearest nodes of the tour only, which takes O(N log N) and gives tours of the
// same length to within a percent.

#include <cstdint>
#include <optional>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

inline constexpr std::size_t kExactInsertion = 2000;

// Nothing if the deadline comes first. Both throw eco::Error (input) if an explicit matrix is not
// symmetric.
[[nodiscard]] std::optional<Solution> random_insertion_tour(const Instance& instance,
                                                            std::uint64_t seed,
                                                            const Deadline& deadline,
                                                            std::size_t exact = kExactInsertion);
[[nodiscard]] std::optional<Solution> farthest_insertion_tour(const Instance& instance,
                                                              std::uint64_t seed,
                                                              const Deadline& deadline,
                                                              std::size_t exact = kExactInsertion);

}  // namespace eco
