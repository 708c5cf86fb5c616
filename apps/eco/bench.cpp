// eco bench: how fast the engine is on this machine, as fractions of the fastest matrix product
// that the same run could measure. docs/engine.md says what is counted. Times are given by the wall
// clock and by the CPU clock: on a busy machine only the second is meaningful.

#include "eco/bench.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/infer/engine.h"
#include "core/infer/flops.h"
#include "eco/options.h"
#include "eco/verb.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Workload {
  std::string_view name;
  ModelConfig config;
  std::size_t nodes, batch;
  DecodeOptions decode;
};

// Clocks of a shared machine wander: a row is held against what the product reached right before
// and right after it.
Peak mean_peak(Peak a, const Peak& b) {
  a.gflops = (a.gflops + b.gflops) / 2;
  a.gflops_per_cpu_second = (a.gflops_per_cpu_second + b.gflops_per_cpu_second) / 2;
  return a;
}

// `peak` was measured just now and is again.
Json run_workload(const Workload& work, Peak& peak, const BenchOptions& options,
                  const Session& session) {
  Engine engine(std::make_shared<const Weights>(random_weights(work.config, session.common().seed)),
                session.common().threads);
  const auto instances = random_instances(work.batch, work.nodes, session.common().seed);
  const auto members = pointers_to(instances);
  const DecodeOptions decode = engine.resolved(work.decode);
  std::size_t encoded = 0;  // tokens, by merging
  const Timing time = best_time(options.seconds, [&] {
    encoded = 0;
    for (const auto& rollouts : engine.run(members, decode)) {
      for (const Rollout& rollout : rollouts) encoded += rollout.encoded;
    }
  });
  const Peak before = std::exchange(peak, measure_peak(session.common().threads));
  const Peak around = mean_peak(before, peak);
  const double flops =
      work.config.constructor == ConstructorKind::merging
          ? encode_flops(work.config, encoded)
          : tour_flops(work.config, work.nodes, decode).total() * static_cast<double>(work.batch);
  const double each = time.wall / static_cast<double>(work.batch);
  return {
      {"name", work.name},
      {"nodes", work.nodes},
      {"batch", work.batch},
      {"threads", engine.threads()},
      {"seconds", time.wall},
      {"cpu_seconds", time.cpu},
      {"milliseconds_per_instance", 1e3 * each},
      {"cpu_milliseconds_per_instance", 1e3 * time.cpu / static_cast<double>(work.batch)},
      {"cpu_microseconds_per_node", 1e6 * time.cpu / static_cast<double>(work.batch * work.nodes)},
      {"minutes_per_1000_instances", each * 1000 / 60},
      {"gflops", flops / time.wall / 1e9},
      {"gflops_per_cpu_second", flops / time.cpu / 1e9},
      {"peak_fraction", flops / time.wall / 1e9 / around.gflops},
      {"peak_fraction_cpu", flops / time.cpu / 1e9 / around.gflops_per_cpu_second},
      {"peak", to_json(around)}};
}

std::vector<Workload> workloads(const std::string& what) {
  const ModelConfig paper = paper_preset(kProblems.front()), best = best_preset(kProblems.front());
  DecodeOptions near;
  near.candidates = 32;
  DecodeOptions sampled;
  sampled.method = Decode::sample;
  sampled.samples = 32;
  if (what == "decode") {
    return {{"paper, greedy", paper, 100, 128, {}},
            {"paper, greedy", paper, 1000, 64, {}},
            {"paper, sample:32", paper, 100, 4, sampled},
            {"best, greedy", best, 100, 64, {}},
            {"best, greedy", best, 1000, 8, {}}};
  }
  if (what == "latency") {
    return {{"paper, one instance", paper, 100, 1, {}}, {"best, one instance", best, 100, 1, {}}};
  }
  if (what == "scaling") {
    return {{"paper, candidates 32", paper, 1000, 8, near},
            {"paper, candidates 32", paper, 10'000, 8, near},
            {"paper, candidates 32", paper, 100'000, 8, near},
            {"best, greedy", best, 1000, 8, {}},
            {"best, greedy", best, 10'000, 8, {}}};
  }
  return {};
}

// Solves of the engine, by the clock and by the operations that they need.
int bench_solves(const BenchOptions& options, const Session& session) {
  const auto work = workloads(options.what);
  Peak peak = measure_peak(session.common().threads);
  Json json{{"benchmark", options.what}, {"peak", to_json(peak)}, {"results", Json::array()}};
  if (!session.common().json) {
    session.print("peak: {:.1f} GFLOP/s on {} threads ({}), {:.1f} a CPU second\n", peak.gflops,
                  peak.threads, peak.source, peak.gflops_per_cpu_second);
    session.print("{:<22}{:>8}{:>7}{:>12}{:>12}{:>10}{:>8}{:>10}\n", "", "nodes", "batch",
                  "ms each", "CPU ms each", "GFLOP/s", "peak", "CPU peak");
  }
  for (const Workload& item : work) {
    session.throw_if_interrupted();
    const Json row = run_workload(item, peak, options, session);
    if (session.common().json) {
      json["results"].push_back(row);
      continue;
    }
    session.print("{:<22}{:>8}{:>7}{:>12.3f}{:>12.3f}{:>10.1f}{:>7.1f}%{:>9.1f}%\n", item.name,
                  item.nodes, item.batch, row["milliseconds_per_instance"].get<double>(),
                  row["cpu_milliseconds_per_instance"].get<double>(), row["gflops"].get<double>(),
                  100 * row["peak_fraction"].get<double>(),
                  100 * row["peak_fraction_cpu"].get<double>());
  }
  if (session.common().json) session.print("{}\n", json.dump());
  return 0;
}

struct Benchmark {
  std::string_view name;
  int (*run)(const BenchOptions& options, const Session& session);
};
constexpr std::array kBenchmarks{
    Benchmark{"encode", bench_encode},  Benchmark{"decode", bench_solves},
    Benchmark{"latency", bench_solves}, Benchmark{"scaling", bench_solves},
    Benchmark{"memory", bench_memory},  Benchmark{"expert", bench_expert},
    Benchmark{"soak", bench_soak},      Benchmark{"solve", bench_solve},
};

std::optional<std::string> benchmark_from(const std::string& name) {
  for (const Benchmark& benchmark : kBenchmarks) {
    if (benchmark.name == name) return name;
  }
  return std::nullopt;
}

Body setup_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  add_choice(app, "what", options->what, benchmark_from, names_of<Benchmark>(kBenchmarks),
             "What is measured [decode]");
  const CLI::Option* seconds =
      add_number(app, "--seconds", options->seconds, {0, 1e6},
                 "encode, decode, latency, scaling: least time spent on each measurement")
          ->default_str("1");
  const CLI::Option* count = add_count(app, "--count", options->count, {1, kMostSteps},
                                       "soak: instances; solve: of each file");
  const std::array<const CLI::Option*, 9> of_solve{
      app.add_option("files", options->files, "solve: instances of one problem"),
      app.add_option("--times", options->times, "solve: limits in seconds, as 0.1,1,10")
          ->delimiter(',')
          ->check(CLI::PositiveNumber),
      app.add_option("--costs", options->costs,
                     "solve: best-known costs, CSV with file, index and cost, or with name and bks")
          ->type_name("FILE"),
      app.add_option("--program", options->program,
                     "solve: a program that you have, beside ours: hgs-bin, lkh or concorde"),
      app.add_option("--solver-path", options->solver_path, "solve: where it is [PATH]")
          ->type_name("FILE"),
      app.add_option("--only", options->only,
                     "solve: rows of the table, by name, as auto,savings,hgs-bin [all]")
          ->delimiter(','),
      app.add_option("--runs", options->runs,
                     "solve: file that keeps every run; those in it are not run again")
          ->type_name("FILE"),
      app.add_flag("--policies", options->policies,
                   "solve: the policy with every effort, and the best of its samples"),
      app.add_option("--out", options->out, "solve: figure of gap against time (.svg)")
          ->type_name("FILE")};
  return [options, seconds, count, of_solve](const Session& session) {
    const bool soak = options->what == "soak", solves = options->what == "solve";
    if (count->count() > 0 && !soak && !solves) {
      throw Error(ErrorKind::usage, "--count is for soak and solve, not for " + options->what);
    }
    for (const CLI::Option* option : of_solve) {
      if (option->count() == 0 || solves) continue;
      throw Error(ErrorKind::usage, option->get_name() + " is for solve, not for " + options->what);
    }
    if (seconds->count() > 0 &&
        (soak || solves || options->what == "memory" || options->what == "expert")) {
      throw Error(ErrorKind::usage, "--seconds means nothing to " + options->what);
    }
    const auto* chosen = std::find_if(kBenchmarks.begin(), kBenchmarks.end(),
                                      [&](const Benchmark& b) { return b.name == options->what; });
    return chosen->run(*options, session);
  };
}

}  // namespace

std::vector<Instance> random_instances(std::size_t count, std::size_t nodes, std::uint64_t seed) {
  std::vector<Instance> instances(count);
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(seed, i);
    for (std::size_t k = 0; k < nodes; ++k) {
      instances[i].points.push_back({rng.uniform(), rng.uniform()});
    }
  }
  return instances;
}

std::vector<const Instance*> pointers_to(const std::vector<Instance>& instances) {
  std::vector<const Instance*> members;
  members.reserve(instances.size());
  for (const Instance& instance : instances) members.push_back(&instance);
  return members;
}

Verb bench_verb() {
  return {"bench",
          "Measure the engine against this machine's matrix product, and methods against others",
          "eco bench decode --json\n  eco bench soak --count 10000\n"
          "  eco bench solve X/*.vrp --costs X/bks.csv --times 1,10 --threads 1\n"
          "  eco bench solve tsp100.txt --policies --times 0.001,0.01,0.1,1 --out frontier.svg",
          setup_bench};
}

}  // namespace eco::cli
