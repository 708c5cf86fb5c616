#pragma once
// Constructions without learning: honest baselines, and starting points for search.

#include <cstdint>
#include <string_view>

#include "core/base/deadline.h"
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

// A feasible solution; a function of the arguments alone. `seed` draws what the method leaves open
// (the first node, the order of random insertion). Throws eco::Error (usage) if the method does not
// exist for the problem.
[[nodiscard]] Solution construct(const Instance& instance, ConstructMethod method,
                                 std::uint64_t seed);

// The same by a deadline. A method that is not done by then gives way to quick_solution().
struct Construction {
  Solution solution;
  bool complete = true;  // false: the method was cut short
};
[[nodiscard]] Construction construct(const Instance& instance, ConstructMethod method,
                                     std::uint64_t seed, const Deadline& deadline);

// Something to fall back on before a longer work begins: nearest neighbour, straightened, or, if
// the deadline comes before that, what curve_solution() gives.
[[nodiscard]] Solution quick_solution(const Instance& instance, std::uint64_t seed,
                                      const Deadline& deadline);

}  // namespace eco
