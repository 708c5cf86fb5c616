#pragma once
// Constructions without learning: honest baselines, and starting points for search.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/instance/instance.h"

namespace eco {

enum class ConstructMethod : std::uint8_t {
  nearest_neighbour,
  random_insertion,
  farthest_insertion,
  savings,
};

// "nn", "random-insertion", "farthest-insertion", "savings".
[[nodiscard]] std::string_view to_string(ConstructMethod method);
[[nodiscard]] std::optional<ConstructMethod> construct_method_from(std::string_view name);

// A feasible solution; a function of the arguments alone. `seed` draws what the method leaves open
// (the first node, the order of random insertion). Throws eco::Error (usage) if the method does not
// exist for the problem.
[[nodiscard]] Solution construct(const Instance& instance, ConstructMethod method,
                                 std::uint64_t seed);

}  // namespace eco
