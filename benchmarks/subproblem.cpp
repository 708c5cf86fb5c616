// Cost of the geometry that the candidate scorer reads: one sub-problem build, and one step of the
// walk (candidates with all features), beside which the network's own arithmetic must stay larger.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/instance/generate.h"
#include "core/model/candidates.h"

namespace {

eco::Instance instance_of(std::size_t nodes) {
  eco::GeneratorOptions options;
  options.nodes = nodes;
  return eco::generate(options, 0);
}

std::vector<eco::NodeId> all_but_first(std::size_t nodes) {
  std::vector<eco::NodeId> unvisited;
  for (std::size_t i = 1; i < nodes; ++i) unvisited.emplace_back(i);
  return unvisited;
}

void BM_build_sub_problem(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const eco::Instance instance = instance_of(nodes);
  const auto unvisited = all_but_first(nodes);
  eco::SubProblem sub;
  for (auto _ : state) {
    sub.build(instance, {eco::NodeId(0), unvisited, eco::NodeId(0), 0});
    benchmark::DoNotOptimize(sub.features().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));  // tokens
}
BENCHMARK(BM_build_sub_problem)->Arg(100)->Arg(1000)->Arg(10000);

void BM_walk_a_tenth(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const eco::Instance instance = instance_of(nodes);
  eco::SubProblem sub;
  sub.build(instance, {eco::NodeId(0), all_but_first(nodes), eco::NodeId(0), 0});
  eco::CandidateWalk walk;
  for (auto _ : state) {
    walk.start(sub, 16);
    for (std::size_t step = 0; step < nodes / 10; ++step) {
      walk.propose();
      walk.step(walk.tokens()[0]);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes / 10));  // steps
}
BENCHMARK(BM_walk_a_tenth)->Arg(100)->Arg(1000)->Arg(10000);

}  // namespace

BENCHMARK_MAIN();
