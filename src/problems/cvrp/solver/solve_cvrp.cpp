#include "solver/solver_state.h"

namespace eco {

bool Solver::solves_cvrp() const {
  return state_->pool(ProblemKind::cvrp).usable();
}

Solver::Result Solver::solve_cvrp(std::span<const Point> points,
                                  std::span<const std::int64_t> demands, std::int64_t capacity,
                                  const Options& options) const {
  Instance instance = plain_instance(ProblemKind::cvrp, points);
  instance.demands.assign(demands.begin(), demands.end());
  instance.capacity = capacity;
  return state_->solve(instance, options);
}
Solver::Result Solver::solve_cvrp(std::span<const Point> points,
                                  std::span<const std::int64_t> demands,
                                  std::int64_t capacity) const {
  return solve_cvrp(points, demands, capacity, Options{});
}

}  // namespace eco
