#include <eco/error.h>
#include <eco/solver.h>

extern "C" double square_length(const char* weights) {
  const eco::Solver::Point square[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
  try {
    return eco::Solver(weights).solve_tsp(square).cost;
  } catch (const eco::Error&) {
    return -1;
  }
}
