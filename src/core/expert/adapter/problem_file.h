#pragma once
// The problem as TSPLIB text for a solver that sums whole numbers. Where the solver knows the
// instance's own metric and rounding it gets the original data; anything else is scaled up first,
// far enough that the rounding is lost in the noise and not so far that 32-bit sums overflow. A
// metric that the solver does not know becomes an explicit matrix.

#include <cstddef>
#include <string>

#include "core/instance/instance.h"

namespace eco {

// What a solver can read besides EUC_2D rounded to the nearest integer.
struct SolverDialect {
  bool ceil_2d = false, floor_2d = false, att = false, geo = false, matrix = false;
  // 0: it rounds all distances. Otherwise it can also sum exact ones, and works best when the
  // larger side of the instance is about this long.
  double exact_side = 0;
};

struct ProblemFile {
  std::string text;
  double longest = 0;  // no distance in the file is longer
};

// Throws eco::Error (usage) if the dialect cannot state the instance: no common metric, an
// asymmetric or too large matrix, a capacity above 32 bits.
[[nodiscard]] ProblemFile problem_file(const Instance& instance, const SolverDialect& dialect);

inline constexpr std::size_t kMaxMatrixNodes = 5000;

}  // namespace eco
