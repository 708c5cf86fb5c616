#pragma once
// Local search of the TSP: the operators of this folder on one tour.

#include "core/search/local_search.h"

namespace eco {

// Throws eco::Error (input) if the distance matrix is not symmetric: the moves reverse paths.
[[nodiscard]] std::unique_ptr<LocalSearch> make_tsp_local_search(const Instance& instance,
                                                                 const LocalSearchOptions& options);
[[nodiscard]] std::span<const std::string_view> tsp_search_operators();

}  // namespace eco
