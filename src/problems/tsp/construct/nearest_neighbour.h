#pragma once
// Nearest neighbour tours: always on to the nearest node not yet visited. O(N log N) by a k-d tree
// of the coordinates (GEO: nearest by coordinates), O(N^2) for matrices.

#include <cstdint>
#include <optional>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

// Nothing if the deadline comes first.
[[nodiscard]] std::optional<Solution> nearest_neighbour_tour(const Instance& instance,
                                                             std::uint64_t seed,
                                                             const Deadline& deadline);

}  // namespace eco
