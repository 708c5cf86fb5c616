#pragma once
// The shortest way to cut a sequence of customers into routes.

#include <span>

#include "core/instance/instance.h"

namespace eco {

// `order`: the depot, then every customer. O(N).
[[nodiscard]] Solution cut_into_routes(const Instance& instance, std::span<const NodeId> order);

}  // namespace eco
