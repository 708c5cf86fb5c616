#include "solver/solver_state.h"

namespace eco {

Solver::Result Solver::solve_path(std::span<const Point> points, std::optional<std::uint32_t> start,
                                  std::optional<std::uint32_t> end, const Options& options) const {
  Instance instance = plain_instance(ProblemKind::path, points);
  if (start) instance.start = NodeId(*start);
  if (end) instance.end = NodeId(*end);
  return state_->solve(instance, options);
}
Solver::Result Solver::solve_path(std::span<const Point> points, std::optional<std::uint32_t> start,
                                  std::optional<std::uint32_t> end) const {
  return solve_path(points, start, end, Options{});
}

}  // namespace eco
