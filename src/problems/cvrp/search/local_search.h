#pragma once
// Local search of the CVRP: the operators of this folder on a set of routes.

#include <array>
#include <string_view>

#include "core/search/local_search.h"

namespace eco {

// In the order of the paper.
inline constexpr std::array<std::string_view, 4> kCvrpOperators{"2opt-intra", "relocate", "swap",
                                                                "2opt-star"};

// Throws eco::Error (input) if the distance matrix is not symmetric: the moves reverse paths.
[[nodiscard]] std::unique_ptr<LocalSearch> make_cvrp_local_search(
    const Instance& instance, const LocalSearchOptions& options);

}  // namespace eco
