// Deliveries with a fleet of five and one-way roads: routes, loads and how the cost fell.
#include <cstdio>
#include <random>

#include <eco/solver.h>

int main() try {
  constexpr std::size_t kNodes = 41;  // the depot is node 0
  std::mt19937 random(11);
  std::uniform_int_distribution<int> length(50, 500), crates(1, 5);
  std::vector<double> lengths(kNodes * kNodes);
  for (double& way : lengths) way = length(random);
  std::vector<std::int64_t> demands(kNodes);
  for (std::size_t i = 1; i < kNodes; ++i) demands[i] = crates(random);

  auto problem = eco::Problem::by_matrix(kNodes, lengths);
  problem.deliver(demands, 30).limit_vehicles(5);
  eco::Solver::Options options;
  options.iterations = 20'000;
  options.progress = [](const eco::Solver::Progress& at) {
    if (at.share >= 1) std::fprintf(stderr, "cost %.0f\n", at.cost);
  };
  const auto plan = eco::Solver().solve(problem, options);
  std::printf("%zu routes, cost %.0f, from %.0f at first\n", plan.routes.size(), plan.cost,
              plan.record.front().cost);
  for (std::size_t r = 0; r < plan.routes.size(); ++r) {
    std::printf("load %2lld:", static_cast<long long>(plan.loads[r]));
    for (const std::uint32_t node : plan.routes[r]) std::printf(" %u", node);
    std::printf("\n");
  }
  return plan.lacks_vehicles ? 1 : 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
