#pragma once
// What a problem gives to search: its constructions, its local search, its way along a curve.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/deadline.h"
#include "core/instance/instance.h"
#include "core/search/construct/construct.h"
#include "core/search/local_search.h"

namespace eco {

struct ProblemSearch {
  struct Construction {
    ConstructMethod method;
    // Nothing if the deadline comes first. `seed` draws what the method leaves open.
    std::optional<Solution> (*build)(const Instance& instance, std::uint64_t seed,
                                     const Deadline& deadline);
  };
  // Nearest neighbour is one of them: quick_solution() asks for it.
  std::span<const Construction> constructions;
  // A solution that visits the nodes in this order (the depot first, if there is one), as far as it
  // may.
  Solution (*in_order)(const Instance& instance, std::span<const NodeId> order);

  std::unique_ptr<LocalSearch> (*make_local_search)(const Instance& instance,
                                                    const LocalSearchOptions& options);
  std::span<const std::string_view> operators;  // of it, in the order of the paper
  std::size_t refine_neighbours = 10;           // lists of refine(), long enough to miss little
};

ECO_PROBLEM_TABLE(ProblemSearch, search)

[[nodiscard]] inline const ProblemSearch& search_of(ProblemKind kind) {
  return *problem_search[index_of(kind)];
}

}  // namespace eco
