#pragma once
// Insertion for large instances. The order in which nodes enter is known before the first one does
// (which node is farthest depends on the nodes inside, not on their tour), so the nearest nodes
// inside at each entry come from one k-d tree from which the nodes are taken in reverse order.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

// From `start` on, always the point that is farthest from those before it; equal distances by
// index. Nothing if the deadline comes first.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> farthest_order(
    std::span<const Point> points, std::uint32_t start, const Deadline& deadline);

// Nodes enter in the given order, each beside one of its nearest nodes inside, where the tour grows
// least. The instance has coordinates. Nothing if the deadline comes first.
[[nodiscard]] std::optional<Solution> insert_near(const Instance& instance,
                                                  std::span<const std::uint32_t> order,
                                                  const Deadline& deadline);

}  // namespace eco
