#pragma once
// Customer demands by class and the vehicle capacity that goes with them.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/generate.h"

namespace eco {

// [depot and customers], the depot's being 0. `side` is that of the square, for the quadrants.
[[nodiscard]] std::vector<std::int64_t> draw_demands(Rng& rng, DemandClass demands,
                                                     std::span<const Point> points, double side);

[[nodiscard]] std::int64_t largest_demand(DemandClass demands);

// The capacity at which a full vehicle serves `route_size` customers on average.
[[nodiscard]] std::int64_t capacity_for(double route_size, std::span<const std::int64_t> demands);

// Mean customers a route as the X set draws it: triangular between 3 and 25, most often 6.
[[nodiscard]] double draw_route_size(Rng& rng);

}  // namespace eco
