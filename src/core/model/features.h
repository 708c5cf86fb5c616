#pragma once
// How many geometric inputs the candidate scorer reads; the features themselves are made in
// subproblem.cpp (tokens) and candidates.cpp (candidates) and described in docs/model.md.

#include <cstddef>

#include "core/instance/instance.h"

namespace eco {

[[nodiscard]] constexpr std::size_t sub_problem_feature_count(ProblemKind problem) {
  return problem == ProblemKind::cvrp ? 42 : 38;
}
[[nodiscard]] constexpr std::size_t candidate_feature_count(ProblemKind problem) {
  return problem == ProblemKind::cvrp ? 34 : 24;
}

}  // namespace eco
