#pragma once
// Local search of the TSP: the operators of this folder on one tour.

#include <array>
#include <string_view>

#include "core/search/local_search.h"

namespace eco {

// In the order of the paper.
inline constexpr std::array<std::string_view, 2> kTspOperators{"2opt", "3opt"};

// Throws eco::Error (input) if the distance matrix is not symmetric: the moves reverse paths.
[[nodiscard]] std::unique_ptr<LocalSearch> make_tsp_local_search(const Instance& instance,
                                                                 const LocalSearchOptions& options);

}  // namespace eco
