#pragma once
// Nearest neighbour routes: on to the nearest customer that still fits, back to the depot when none
// does. About O(N log N) by a k-d tree of the coordinates (GEO: nearest by coordinates), O(N^2) for
// matrices.

#include <optional>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

// Nothing if the deadline comes first.
[[nodiscard]] std::optional<Solution> nearest_neighbour_routes(const Instance& instance,
                                                               const Deadline& deadline);

}  // namespace eco
