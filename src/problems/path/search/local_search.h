#pragma once
// Local search of an open path:
//   2opt   a stretch is turned round; at a free end that takes away one edge and adds one
//   oropt  up to three nodes go elsewhere, either way round, to a free end too

#include <array>
#include <string_view>

#include "core/search/local_search.h"

namespace eco {

inline constexpr std::array<std::string_view, 2> kPathOperators{"2opt", "oropt"};

// Throws eco::Error (input) if the distance matrix is not symmetric: the moves reverse paths.
[[nodiscard]] std::unique_ptr<LocalSearch> make_path_local_search(
    const Instance& instance, const LocalSearchOptions& options);

}  // namespace eco
