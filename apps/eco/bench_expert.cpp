// eco bench expert: what the built-in experts reach in a given time, on generated instances. The
// gap is to the best cost of the same run; against reference tours measure with benchmarks/.

#include <algorithm>
#include <vector>

#include "core/expert/problem_expert.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "eco/bench.h"
#include "report/gap.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ExpertCase : ProblemExpert::BenchCase {
  ProblemKind kind;
};

std::vector<ExpertCase> all_cases() {
  std::vector<ExpertCase> cases;
  for (const ProblemKind kind : kProblems) {
    for (const auto& one : expert_of(kind).bench) cases.push_back({one, kind});
  }
  return cases;
}

}  // namespace

int bench_expert(const BenchOptions&, const Session& session) {
  Json json{{"benchmark", "expert"}, {"results", Json::array()}};
  if (!session.common().json) {
    session.print("{:<8}{:>8}{:>11}{:>12}{:>14}{:>16}\n", "", "nodes", "instances", "seconds",
                  "mean cost", "gap to best %");
  }
  for (const ExpertCase& item : all_cases()) {
    GeneratorOptions generator;
    generator.kind = item.kind;
    generator.nodes = item.nodes;
    generator.seed = session.common().seed;
    const Expert& expert = expert_named("auto", item.kind);
    std::vector<double> best(item.instances, 0), mean(item.seconds.size(), 0);
    std::vector<std::vector<double>> costs(item.seconds.size());
    for (std::size_t i = 0; i < item.instances; ++i) {
      const Instance instance = generate(generator, i);
      for (std::size_t b = 0; b < item.seconds.size(); ++b) {
        session.throw_if_interrupted();
        ExpertOptions options;
        options.seconds = item.seconds[b];
        options.seed = instance_seed(session.common().seed, i);
        options.cancel = session.stop();
        const double cost = require_feasible(instance, expert.solve(instance, options));
        costs[b].push_back(cost);
        mean[b] += cost / static_cast<double>(item.instances);
        best[i] = b == 0 ? cost : std::min(best[i], cost);
      }
    }
    for (std::size_t b = 0; b < item.seconds.size(); ++b) {
      double gap = 0;
      for (std::size_t i = 0; i < item.instances; ++i) {
        gap += gap_percent(costs[b][i], best[i]) / static_cast<double>(item.instances);
      }
      json["results"].push_back({{"problem", to_string(item.kind)},
                                 {"expert", expert.name},
                                 {"nodes", item.nodes},
                                 {"instances", item.instances},
                                 {"seconds", item.seconds[b]},
                                 {"mean_cost", mean[b]},
                                 {"gap_to_best_percent", gap}});
      if (session.common().json) continue;
      session.print("{:<8}{:>8}{:>11}{:>12}{:>14.4f}{:>16.3f}\n", expert.name, item.nodes,
                    item.instances, item.seconds[b], mean[b], gap);
    }
  }
  if (session.common().json) session.print("{}\n", json.dump());
  return 0;
}

}  // namespace eco::cli
