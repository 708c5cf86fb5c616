#pragma once
// The geometry of some nodes of an instance as an instance of its own.

#include <cstdint>
#include <span>

#include "core/instance/instance.h"

namespace eco {

// Node i of the part is nodes[i]; a node may stand there twice. Points, metric and rounding (or the
// entries of an explicit matrix) come along; kind, demands, names and references do not.
[[nodiscard]] Instance part_of(const Instance& instance, std::span<const std::uint32_t> nodes);

}  // namespace eco
