// A tour of 200 random points: what the policy builds (with the weights of a file, or with those
// inside the library), then the best in a tenth of a second.
#include <cstdio>
#include <random>

#include <eco/solver.h>

int main(int argc, char** argv) try {
  const eco::Solver solver = argc > 1 ? eco::Solver(std::string(argv[1])) : eco::Solver();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> side(0, 1);
  std::vector<eco::Problem::Point> points(200);
  for (auto& point : points) point = {side(random), side(random)};
  const auto problem = eco::Problem::on_plane(points);

  eco::Solver::Options options;
  options.method = "policy";
  const double built = solver.solve(problem, options).cost;
  options.method = "auto";
  options.time_limit = 0.1;
  const auto best = solver.solve(problem, options);
  std::printf("%zu nodes, length %.4f (%.4f as the policy built it)\n", best.routes[0].size(),
              best.cost, built);
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
