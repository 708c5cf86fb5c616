#pragma once
// The states of all problems, for which inner loops are compiled: the one table that is not made of
// pointers. core/problem/problem.h says what a state is.

#include <utility>

#include "problems/cvrp/rules/state.h"
#include "problems/list.h"
#include "problems/path/rules/state.h"
#include "problems/tsp/rules/state.h"

namespace eco {

// Calls body.template operator()<State>() with the state type of the kind.
template <class Body>
decltype(auto) with_problem(ProblemKind kind, Body&& body) {
#define ECO_PROBLEM_CASE(name, ...) \
  case ProblemKind::name:           \
    return std::forward<Body>(body).template operator()<name::State>();
  switch (kind) { ECO_PROBLEMS(ECO_PROBLEM_CASE) }
#undef ECO_PROBLEM_CASE
  __builtin_unreachable();
}

}  // namespace eco
