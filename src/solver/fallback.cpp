#include "solver/fallback.h"

#include <utility>

#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/construct/curve.h"

namespace eco {

Fallback::Fallback(const Instance& instance, std::uint64_t seed, const Deadline& deadline)
    : instance_(instance) {
  if (deadline.limited()) solution_ = quick_solution(instance, seed, deadline);
}

bool Fallback::replace(Solution& solution, double& cost) {
  if (!solution_) solution_ = curve_solution(instance_);
  const double own = require_feasible(instance_, *solution_);
  if (own >= cost) return false;
  solution = std::move(*solution_);
  solution_.reset();
  cost = own;
  return true;
}

}  // namespace eco
