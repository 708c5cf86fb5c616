#include "solver/solver_state.h"

namespace eco {

bool Solver::solves_tsp() const {
  return state_->pool(ProblemKind::tsp).usable();
}

Solver::Result Solver::solve_tsp(std::span<const Point> points, const Options& options) const {
  return state_->solve(plain_instance(ProblemKind::tsp, points), options);
}
Solver::Result Solver::solve_tsp(std::span<const Point> points) const {
  return solve_tsp(points, Options{});
}

}  // namespace eco
