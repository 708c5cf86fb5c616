// eco eval: builds solutions of a file of instances with a policy, and measures them against the
// references that come with the instances. Timing protocols of the paper: --batch 8, --batch max.

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "eco/decode_options.h"
#include "eco/options.h"
#include "eco/progress.h"
#include "eco/verb.h"
#include "io/reader.h"
#include "report/gap.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct EvalOptions {
  std::string file;
  std::string batch = "max";
  std::size_t limit = 0;
  std::size_t permutations = 1;
  std::optional<Rounding> rounding;
  DecodeChoice decode;
};

std::size_t peak_rss_bytes() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::vector<Instance> read_all(const EvalOptions& options) {
  const auto reader = io::open_instances(options.file, {options.rounding, std::nullopt});
  std::vector<Instance> instances;
  while (options.limit == 0 || instances.size() < options.limit) {
    std::optional<Instance> instance = reader->next();
    if (!instance) break;
    instances.push_back(std::move(*instance));
  }
  if (instances.empty()) throw input_error({options.file, 0}, "no instances");
  return instances;
}

std::size_t batch_size(const EvalOptions& options, std::size_t instances) {
  if (options.batch == "max") return instances;
  std::size_t size = 0;
  try {
    size = std::stoul(options.batch);
  } catch (const std::exception&) {
    size = 0;
  }
  if (size == 0) {
    throw Error(ErrorKind::usage, "--batch " + eco::quoted(options.batch) +
                                      ": expected a number of instances or max");
  }
  return size;
}

// The same instance with its nodes in another order; `order[i]` is the old index of node i.
Instance permuted(const Instance& instance, Rng& rng) {
  std::vector<std::size_t> order(instance.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t fixed = instance.kind == ProblemKind::cvrp ? 1 : 0;  // the depot stays first
  rng.shuffle(std::span(order).subspan(fixed));
  Instance result = instance;
  result.reference.reset();
  result.labels.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.points[i] = instance.points[order[i]];
    if (!instance.demands.empty()) result.demands[i] = instance.demands[order[i]];
    for (std::size_t j = 0; j < (instance.matrix.empty() ? 0 : order.size()); ++j) {
      result.matrix[i * order.size() + j] = instance.matrix[order[i] * order.size() + order[j]];
    }
  }
  return result;
}

struct EvalOutcome {
  std::vector<double> costs;  // of the best rollout of each instance
  double seconds = 0;         // of the engine alone
};

EvalOutcome solve_all(Engine& engine, const std::vector<Instance>& instances, std::size_t batch,
                      const DecodeOptions& options, const Session& session, Progress& progress) {
  EvalOutcome outcome;
  std::vector<const Instance*> all;
  all.reserve(instances.size());
  for (const Instance& instance : instances) all.push_back(&instance);
  for (std::size_t begin = 0; begin < all.size(); begin += batch) {
    session.throw_if_interrupted();
    const auto part = std::span(all).subspan(begin, std::min(batch, all.size() - begin));
    DecodeOptions decode = options;
    decode.first = begin;
    const auto start = Clock::now();
    const auto rollouts = engine.run(part, decode, Deadline::when_cancelled(session.stop()));
    outcome.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    for (const auto& samples : rollouts) {
      double best = samples[0].cost;
      for (const Rollout& rollout : samples) best = std::min(best, rollout.cost);
      outcome.costs.push_back(best);
      progress.advance();
    }
  }
  session.throw_if_interrupted();
  return outcome;
}

// Largest and mean relative spread (deviation / mean, percent) over the permutations.
Json sensitivity(const std::vector<std::vector<double>>& costs) {
  double worst = 0, sum = 0;
  const std::size_t instances = costs[0].size();
  for (std::size_t i = 0; i < instances; ++i) {
    double mean = 0, squares = 0;
    for (const auto& run : costs) mean += run[i] / static_cast<double>(costs.size());
    for (const auto& run : costs) squares += (run[i] - mean) * (run[i] - mean);
    const double spread =
        mean > 0 ? 100 * std::sqrt(squares / static_cast<double>(costs.size())) / mean : 0;
    worst = std::max(worst, spread);
    sum += spread;
  }
  return {{"permutations", costs.size()},
          {"mean_deviation_percent", sum / static_cast<double>(instances)},
          {"largest_deviation_percent", worst}};
}

int evaluate(const EvalOptions& options, const Session& session) {
  const DecodeOptions decode = [&] {
    DecodeOptions result = options.decode.resolve();
    result.seed = session.common().seed;
    return result;
  }();
  Engine engine(open_weights(options.decode), session.common().threads);
  const std::vector<Instance> instances = read_all(options);
  const std::size_t batch = batch_size(options, instances.size());
  Progress progress(session, "eval", instances.size() * options.permutations);

  const EvalOutcome outcome = solve_all(engine, instances, batch, decode, session, progress);
  std::vector<std::vector<double>> permuted_costs;
  for (std::size_t p = 0; options.permutations > 1 && p < options.permutations; ++p) {
    std::vector<Instance> shuffled;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      Rng rng(session.common().seed, (p << 32U) | i);
      shuffled.push_back(permuted(instances[i], rng));
    }
    permuted_costs.push_back(solve_all(engine, shuffled, batch, decode, session, progress).costs);
  }

  std::vector<double> gaps;
  double mean_cost = 0;
  std::size_t smallest = instances[0].size(), largest = smallest;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    mean_cost += outcome.costs[i] / static_cast<double>(instances.size());
    smallest = std::min(smallest, instances[i].size());
    largest = std::max(largest, instances[i].size());
    if (instances[i].reference_cost) {
      gaps.push_back(gap_percent(outcome.costs[i], *instances[i].reference_cost));
    }
  }
  constexpr std::size_t kResamples = 10'000;
  const GapSummary summary = summarise_gaps(gaps, session.common().seed);
  const Interval ci =
      gaps.empty() ? Interval{} : bootstrap_mean_ci95(gaps, session.common().seed, kResamples);
  const double rate = static_cast<double>(instances.size()) / outcome.seconds;

  if (session.common().json) {
    Json json{{"file", options.file},
              {"problem", to_string(instances[0].kind)},
              {"nodes", largest},
              {"smallest", smallest},
              {"instances", instances.size()},
              {"mean_cost", mean_cost}};
    if (!gaps.empty()) {
      json["mean_gap_percent"] = summary.mean;
      json["median_gap_percent"] = summary.median;
      json["gap_ci95"] = {ci.low, ci.high};
      json["with_reference"] = gaps.size();
    }
    json["seconds"] = outcome.seconds;
    json["instances_per_second"] = rate;
    json["peak_rss_bytes"] = peak_rss_bytes();
    json["feasible"] = instances.size();
    if (instances[0].kind == ProblemKind::cvrp) json["capacity"] = instances[0].capacity;
    json["rounding"] = to_string(instances[0].rounding);
    json["decode"] = decode_text(decode);
    json["batch"] = batch;
    json["threads"] = engine.threads();
    json["weights"] = options.decode.weights;
    if (!permuted_costs.empty()) json["sensitivity"] = sensitivity(permuted_costs);
    session.print("{}\n", json.dump());
    return 0;
  }
  session.print("{}: {} instances of {} to {} nodes, {}, mean cost {:.5f}\n", options.file,
                instances.size(), smallest, largest, decode_text(decode), mean_cost);
  if (!gaps.empty()) {
    session.print("  gap {:.3f}% (95% interval {:.3f} to {:.3f}) over {} references\n",
                  summary.mean, ci.low, ci.high, gaps.size());
  }
  session.print("  {:.3f} s, {:.1f} instances/s, {} threads, batch {}, peak memory {:.0f} MB\n",
                outcome.seconds, rate, engine.threads(), batch,
                static_cast<double>(peak_rss_bytes()) / 1e6);
  if (!permuted_costs.empty()) {
    const Json spread = sensitivity(permuted_costs);
    session.print("  {} input orders: deviation {:.4f}% of the cost on average, {:.4f}% at most\n",
                  permuted_costs.size(), spread["mean_deviation_percent"].get<double>(),
                  spread["largest_deviation_percent"].get<double>());
  }
  return 0;
}

Body setup_eval(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  app.add_option("file", options->file, "Instances, with reference solutions or costs")->required();
  add_decode_options(app, options->decode);
  app.add_option("--batch", options->batch, "Instances solved together")
      ->type_name("B|max")
      ->capture_default_str();
  app.add_option("--limit", options->limit, "Only the first n instances (0: all)");
  app.add_option("--permutations", options->permutations,
                 "Solve that many random input orders of every instance, and give the spread");
  add_choice(app, "--round", options->rounding, rounding_from,
             {"none", "nint", "ceil", "trunc", "dimacs"},
             "Rounding of distances, where the format's convention is not meant");
  return [options](const Session& session) { return evaluate(*options, session); };
}

}  // namespace

Verb eval_verb() {
  return {"eval", "Measure a policy on a file of instances: cost, gap, time, memory",
          "eco eval tsp100.txt --weights eco.safetensors --decode sample:16 --json", setup_eval};
}

}  // namespace eco::cli
