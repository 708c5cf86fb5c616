#pragma once
// The load rule: a vehicle carries at most its capacity. Whatever builds, changes or labels routes
// asks here; the checker counts for itself.

#include <algorithm>
#include <cstdint>

namespace eco {

[[nodiscard]] constexpr bool fits(std::int64_t load, std::int64_t capacity) {
  return load <= capacity;
}

// What is too much, for searches that let a route carry more and pay for it.
[[nodiscard]] constexpr std::int64_t excess(std::int64_t load, std::int64_t capacity) {
  return std::max<std::int64_t>(0, load - capacity);
}

}  // namespace eco
