#pragma once
// Local search of the CVRP: the operators of this folder on a set of routes.

#include "core/search/local_search.h"

namespace eco {

// Throws eco::Error (input) if the distance matrix is not symmetric: the moves reverse paths.
[[nodiscard]] std::unique_ptr<LocalSearch> make_cvrp_local_search(
    const Instance& instance, const LocalSearchOptions& options);
[[nodiscard]] std::span<const std::string_view> cvrp_search_operators();

}  // namespace eco
