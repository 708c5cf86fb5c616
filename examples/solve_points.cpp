// A tour of 200 random points with the weights of a file, or with those inside the library.
#include <cstdio>
#include <random>

#include <eco/solver.h>

int main(int argc, char** argv) try {
  const eco::Solver solver = argc > 1 ? eco::Solver(std::string(argv[1])) : eco::Solver();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> side(0, 1);
  std::vector<eco::Solver::Point> points(200);
  for (auto& point : points) point = {side(random), side(random)};

  eco::Solver::Options options;
  options.decode = "sample:4";
  options.refine = true;
  const auto result = solver.solve_tsp(points, options);
  std::printf("%zu nodes, length %.4f (%.4f before refinement)\n", result.tour.size(), result.cost,
              result.constructed_cost);
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
