// bench_expert_forced [FILTER]: what it costs to have the experts finish a solution of which half
// of the edges are fixed, as training does. The fixed edges are a random half of those of a
// solution by construction and local search, so that some are mistakes. Gaps are to a run of
// kLongRun times the iterations. "overhead" is a call with one iteration: everything but the
// search.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/local_search.h"
#include "problems/cvrp/expert/solve_cvrp.h"
#include "problems/tsp/expert/ils.h"
#include "times.h"

namespace {

using eco::Edge;
using eco::Instance;
using eco::Solution;
using eco::times::cpu_seconds;

constexpr std::uint64_t kLongRun = 50;
constexpr double kForcedShare = 0.5;

struct Case {
  Instance instance;
  std::vector<Edge> forced;
};

Case make_case(eco::ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  eco::GeneratorOptions generator;
  generator.kind = kind;
  generator.nodes = nodes;
  Case made{eco::generate(generator, index), {}};
  const bool tsp = kind == eco::ProblemKind::tsp;
  Solution rough = eco::construct(
      made.instance, tsp ? eco::ConstructMethod::farthest_insertion : eco::ConstructMethod::savings,
      index);
  eco::local_search(made.instance, rough, {});
  eco::Rng rng(index, 1);
  const auto& sequence = rough.sequence;
  for (std::size_t i = 1; i < sequence.size(); ++i) {
    if (rng.uniform() < kForcedShare) made.forced.push_back({sequence[i - 1], sequence[i]});
  }
  return made;
}

using Solve = std::function<Solution(const Case&, std::uint64_t iterations)>;

void run(const std::string& name, eco::ProblemKind kind, std::size_t nodes, std::size_t count,
         const std::function<std::uint64_t(const Case&)>& iterations, const Solve& solve) {
  double seconds = 0, overhead = 0, gap = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Case one = make_case(kind, nodes, i);
    const std::uint64_t steps = iterations(one);
    double start = cpu_seconds();
    const Solution quick = solve(one, steps);
    seconds += cpu_seconds() - start;
    start = cpu_seconds();
    (void)solve(one, 1);
    overhead += cpu_seconds() - start;
    const double best = eco::require_feasible(one.instance, solve(one, kLongRun * steps));
    gap += eco::gap_percent(eco::require_feasible(one.instance, quick), best);
  }
  const auto cases = static_cast<double>(count);
  std::printf("%-24s %4zu cases  cpu %8.3f ms a call, %7.3f of it overhead  gap %7.4f%%\n",
              name.c_str(), count, 1e3 * seconds / cases, 1e3 * overhead / cases, gap / cases);
  std::fflush(stdout);
}

Solution complete_tour(const Case& one, std::uint64_t iterations) {
  eco::IlsOptions options;
  options.iterations = iterations;
  options.forced = one.forced;
  return eco::solve_tsp(one.instance, options);
}

// What is left to decide: nodes without two fixed edges.
std::uint64_t completion_iterations(const Case& one) {
  std::vector<int> edges(one.instance.size());
  for (const Edge& edge : one.forced) {
    ++edges[edge.a.index()];
    ++edges[edge.b.index()];
  }
  const auto open = std::count_if(edges.begin(), edges.end(), [](int e) { return e < 2; });
  return std::max<std::uint64_t>(200,
                                 eco::default_ils_iterations(static_cast<std::size_t>(open)) / 2);
}

Solution complete_routes(const Case& one, std::uint64_t iterations) {
  eco::CvrpExpertOptions options;
  options.iterations = iterations;
  options.forced = one.forced;
  return eco::solve_cvrp(one.instance, options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::fprintf(stderr, "usage: %s [FILTER]\n", argv[0]);
    return 2;
  }
  const std::string filter = argc == 2 ? argv[1] : "";
  const auto wanted = [&](const std::string& name) {
    return name.find(filter) != std::string::npos;
  };
  for (const std::size_t nodes : {50, 100, 200, 500, 1000}) {
    const std::string name = "tsp" + std::to_string(nodes);
    if (!wanted(name)) continue;
    run(name, eco::ProblemKind::tsp, nodes, std::max<std::size_t>(4, 6400 / nodes),
        completion_iterations, complete_tour);
  }
  for (const std::size_t nodes : {50, 100, 200, 500, 1000}) {
    for (const std::uint64_t iterations : {1000, 5000}) {
      const std::string name =
          "cvrp" + std::to_string(nodes) + ", " + std::to_string(iterations) + " steps";
      if (!wanted(name)) continue;
      run(
          name, eco::ProblemKind::cvrp, nodes, std::max<std::size_t>(4, 1600 / nodes),
          [&](const Case&) { return iterations; }, complete_routes);
    }
  }
  return 0;
}
