#pragma once
// What is behind eco::Solver. Its calls for one problem are in src/problems/NAME/solver.

#include <eco/solver.h>

#include <array>
#include <span>

#include "core/instance/instance.h"
#include "solver/engine_pool.h"

namespace eco {

struct Solver::State {
  std::array<EnginePool, kProblems.size()> pools;

  EnginePool& pool(ProblemKind kind) { return pools[index_of(kind)]; }
  // The pool of its own weights, or else of those that serve it (ProblemFacts::policy).
  EnginePool& serving(ProblemKind kind) {
    return pool(pool(kind).usable() ? kind : facts_of(kind).policy);
  }
  Result solve(const Instance& instance, const Options& options);
};

// The points, with exact Euclidean distances, and nothing else yet.
[[nodiscard]] Instance plain_instance(ProblemKind kind, std::span<const Solver::Point> points);

}  // namespace eco
