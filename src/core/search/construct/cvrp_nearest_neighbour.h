#pragma once
// Nearest neighbour routes: on to the nearest customer that still fits, back to the depot when none
// does. About O(N log N) by a k-d tree of the coordinates (GEO: nearest by coordinates), O(N^2) for
// matrices.

#include "core/instance/instance.h"

namespace eco {

[[nodiscard]] Solution nearest_neighbour_routes(const Instance& instance);

}  // namespace eco
