#pragma once
// Canonical node orders: the sequence in which the encoder reads the nodes. Every order except
// `raw` is a function of the set of points alone: ties are broken by coordinates (equal points are
// interchangeable), so any permutation of the input gives the same coordinate sequence.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/instance/instance.h"
#include "core/ordering/curve.h"

namespace eco {

enum class Ordering : std::uint8_t { raw, x, morton, hilbert };

[[nodiscard]] std::string_view to_string(Ordering ordering);
[[nodiscard]] std::optional<Ordering> ordering_from(std::string_view name);
[[nodiscard]] std::span<const Ordering> all_orderings();

// order[k] = index of the point at canonical place k. Points are quantised within their bounding
// box, whose larger side spans the whole range (aspect kept).
[[nodiscard]] std::vector<std::uint32_t> order_points(std::span<const Point> points,
                                                      Ordering ordering);

// The same for inner loops: writes into `order` (one entry a point) and allocates nothing once the
// buffers have seen a set of that size.
struct OrderBuffers {
  struct Entry {
    std::uint64_t key;
    std::uint32_t index;
  };
  std::vector<Entry> entries, other;
};
void order_points(std::span<const Point> points, Ordering ordering, OrderBuffers& buffers,
                  std::span<std::uint32_t> order);

// order[p] = node at position p. CVRP: the depot stands at position 0, customers follow.
[[nodiscard]] std::vector<NodeId> canonical_order(const Instance& instance, Ordering ordering);

}  // namespace eco
