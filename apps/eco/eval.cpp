// eco eval: builds solutions of files of instances with a policy, and measures them against the
// references that come with the instances; a row for each file. Timing protocols of the paper:
// --batch 8, --batch max.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode_keys.h"
#include "eco/decode_options.h"
#include "eco/input_orders.h"
#include "eco/options.h"
#include "eco/progress.h"
#include "eco/rounding.h"
#include "eco/verb.h"
#include "io/reader.h"
#include "report/gap.h"
#include "report/merge_trace.h"
#include "report/recorded_costs.h"
#include "report/table.h"
#include "solver/plan.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct EvalOptions {
  std::vector<std::string> files;
  std::size_t batch = 0;  // 0: all
  std::size_t limit = 0;
  std::size_t permutations = 0;
  std::optional<Rounding> rounding;
  std::string costs;  // file of references
  bool refine = false;
  bool trace = false;
  bool each = false;
  DecodeChoice decode;
};

std::size_t peak_rss_bytes() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::vector<Instance> read_all(const std::string& file, const EvalOptions& options) {
  io::ReadOptions reading;
  reading.rounding = options.rounding;
  const auto reader = io::open_instances(file, reading);
  std::vector<Instance> instances;
  while (options.limit == 0 || instances.size() < options.limit) {
    std::optional<Instance> instance = reader->next();
    if (!instance) break;
    instances.push_back(std::move(*instance));
  }
  if (instances.empty()) throw input_error({file, 0}, "no instances");
  if (!options.costs.empty()) {
    for (const auto& [index, cost] : read_recorded_costs(options.costs, file)) {
      if (index < instances.size()) instances[index].reference_cost = cost;
    }
  }
  return instances;
}

std::size_t batch_size(const EvalOptions& options, std::size_t instances) {
  return options.batch == 0 ? instances : options.batch;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct EvalOutcome {
  std::vector<double> costs;  // of the best rollout of each instance
  std::size_t feasible = 0;   // instances; the others lack vehicles
  double seconds = 0;         // of the engine alone
  double refine_seconds = 0;
  MergeTrace trace;  // with --trace
};

// The cheapest rollout of each, and the local optimum next to it if that is wanted.
void add_costs(std::span<const Instance* const> instances,
               const std::vector<std::vector<Rollout>>& rollouts, bool refine, ThreadPool& pool,
               EvalOutcome& outcome) {
  std::vector<double> costs(instances.size());
  std::vector<std::uint8_t> feasible(instances.size());
  const auto start = Clock::now();
  pool.parallel_for(instances.size(), [&](std::size_t i, std::size_t) {
    const Finished best = finish(*instances[i], rollouts[i], refine);
    costs[i] = best.checked.cost;
    feasible[i] = best.checked.feasible ? 1 : 0;
  });
  outcome.feasible += static_cast<std::size_t>(std::count(feasible.begin(), feasible.end(), 1));
  if (refine) outcome.refine_seconds += seconds_since(start);
  outcome.costs.insert(outcome.costs.end(), costs.begin(), costs.end());
}

// Where each greedy rollout lost what it lost.
void add_trace(std::span<const Instance* const> instances,
               const std::vector<std::vector<Rollout>>& rollouts, ThreadPool& pool,
               const Session& session, MergeTrace& trace) {
  std::vector<MergeTrace> each(instances.size());
  pool.parallel_for(instances.size(), [&](std::size_t i, std::size_t) {
    session.throw_if_interrupted();
    each[i] = trace_merges(*instances[i], rollouts[i].front());
  });
  for (const MergeTrace& one : each) trace += one;
}

EvalOutcome solve_all(Engine& engine, const std::vector<Instance>& instances, std::size_t batch,
                      const DecodeOptions& options, bool refine, const Session& session,
                      Progress& progress) {
  EvalOutcome outcome;
  ThreadPool pool(engine.threads());
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
    outcome.seconds += seconds_since(start);
    session.throw_if_interrupted();
    add_costs(part, rollouts, refine, pool, outcome);
    if (decode.keep_rounds) add_trace(part, rollouts, pool, session, outcome.trace);
    for (std::size_t i = 0; i < part.size(); ++i) progress.advance();
  }
  session.throw_if_interrupted();
  return outcome;
}

// The engine of each problem, made when the first file of it comes.
class Engines {
 public:
  Engines(const DecodeChoice& choice, std::size_t threads) : choice_(choice), threads_(threads) {}
  Engine& of(ProblemKind problem) {
    // Weights of a file are for one problem; the engine says so if another one comes.
    const ProblemKind key = choice_.embedded() ? problem : kProblems.front();
    std::unique_ptr<Engine>& engine = engines_[key];
    if (!engine) {
      engine = std::make_unique<Engine>(std::make_shared<const Weights>(choice_.open(problem)),
                                        threads_);
    }
    return *engine;
  }

 private:
  const DecodeChoice& choice_;
  std::size_t threads_;
  std::map<ProblemKind, std::unique_ptr<Engine>> engines_;
};

// What is known of one file in the end.
struct FileResult {
  std::string file, decode;
  Instance first;  // stands for the others in kind, capacity and rounding
  std::size_t smallest = 0, largest = 0, instances = 0, batch = 0, threads = 0;
  std::size_t feasible = 0;  // of the instances; the others lack vehicles
  double mean_cost = 0, seconds = 0, refine_seconds = 0;
  std::vector<double> gaps;  // of the instances that have a reference
  GapSummary summary;
  Interval ci95;
  std::optional<OrderSensitivity> orders;  // with --permutations
  std::optional<MergeTrace> trace;         // with --trace

  [[nodiscard]] double rate() const { return static_cast<double>(instances) / seconds; }
};

void require_traceable(const ModelConfig& config, const DecodeOptions& decode,
                       const std::vector<Instance>& instances, const std::string& file) {
  if (config.constructor != ConstructorKind::merging || decode.method != Decode::greedy) {
    throw Error(ErrorKind::usage, "--trace is for weights that merge, and greedy decoding");
  }
  for (const Instance& instance : instances) {
    if (!instance.reference || !instance.reference_cost) {
      throw input_error({file, 0}, "--trace needs a reference solution for every instance");
    }
  }
}

FileResult evaluate_file(const std::string& file, const EvalOptions& options, Engines& engines,
                         const Session& session) {
  const std::vector<Instance> instances = read_all(file, options);
  warn_if_rounding_erases(session, instances[0]);
  Engine& engine = engines.of(instances[0].kind);
  DecodeOptions decode = engine.resolved(options.decode.options);
  decode.seed = session.common().seed;
  if (options.trace) {
    require_traceable(engine.config(), decode, instances, file);
    decode.keep_rounds = true;
  }
  FileResult result;
  result.file = file;
  result.decode = decode_text(decode);
  result.instances = instances.size();
  result.batch = batch_size(options, instances.size());
  result.threads = engine.threads();
  Progress progress(session, "eval " + file, instances.size() * (1 + options.permutations));

  const EvalOutcome outcome =
      solve_all(engine, instances, result.batch, decode, options.refine, session, progress);
  std::vector<std::vector<double>> permuted_costs;
  for (std::size_t p = 0; p < options.permutations; ++p) {
    decode.keep_rounds = false;
    std::vector<Instance> shuffled;
    shuffled.reserve(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
      Rng rng(session.common().seed, (p << 32U) | i);
      shuffled.push_back(permuted(instances[i], rng));
    }
    permuted_costs.push_back(
        solve_all(engine, shuffled, result.batch, decode, options.refine, session, progress).costs);
  }
  if (!permuted_costs.empty()) {
    std::vector<std::optional<double>> references;
    references.reserve(instances.size());
    for (const Instance& instance : instances) references.push_back(instance.reference_cost);
    result.orders = order_sensitivity(permuted_costs, references);
  }

  result.first = instances[0];
  result.seconds = outcome.seconds;
  if (options.trace) result.trace = outcome.trace;
  result.feasible = outcome.feasible;
  result.refine_seconds = outcome.refine_seconds;
  result.smallest = result.largest = instances[0].size();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    result.mean_cost += outcome.costs[i] / static_cast<double>(instances.size());
    result.smallest = std::min(result.smallest, instances[i].size());
    result.largest = std::max(result.largest, instances[i].size());
    if (instances[i].reference_cost) {
      result.gaps.push_back(gap_percent(outcome.costs[i], *instances[i].reference_cost));
    }
  }
  constexpr std::size_t kResamples = 10'000;
  result.summary = summarise_gaps(result.gaps, session.common().seed);
  if (!result.gaps.empty()) {
    result.ci95 = bootstrap_mean_ci95(result.gaps, session.common().seed, kResamples);
  }
  return result;
}

// Means per instance.
Json trace_json(const MergeTrace& trace) {
  const auto per_instance = [&](double sum) { return sum / static_cast<double>(trace.instances); };
  Json rows = Json::array();
  for (std::size_t r = 0; r < MergeTrace::kRows; ++r) {
    const TraceRow& row = trace.rows[r];
    const auto links = static_cast<double>(row.links);
    rows.push_back({{"open_percent_above", 10 * (MergeTrace::kRows - 1 - r)},
                    {"rounds", per_instance(static_cast<double>(row.rounds))},
                    {"links", per_instance(links)},
                    {"confidence", row.links > 0 ? row.confidence / links : 0},
                    {"in_reference", per_instance(static_cast<double>(row.known))},
                    {"lost_points", per_instance(row.lost_percent)}});
  }
  return {{"expert_gap_percent", per_instance(trace.start_percent)}, {"rows", rows}};
}

Json to_json(const FileResult& result, const EvalOptions& options) {
  Json json{{"file", result.file},           {"problem", to_string(result.first.kind)},
            {"nodes", result.largest},       {"smallest", result.smallest},
            {"instances", result.instances}, {"mean_cost", result.mean_cost}};
  if (!result.gaps.empty()) {
    json["mean_gap_percent"] = result.summary.mean;
    json["median_gap_percent"] = result.summary.median;
    json["gap_ci95"] = {result.ci95.low, result.ci95.high};
    json["with_reference"] = result.gaps.size();
    if (options.each) json["gaps_percent"] = result.gaps;
  }
  json["seconds"] = result.seconds;
  if (options.refine) json["refine_seconds"] = result.refine_seconds;
  json["instances_per_second"] = result.rate();
  json["peak_rss_bytes"] = peak_rss_bytes();
  json["feasible"] = result.feasible;
  if (result.first.has_depot()) json["capacity"] = result.first.capacity;
  json["rounding"] = rounding_name(result.first.metric, result.first.rounding);
  json["decode"] = result.decode;
  json["batch"] = result.batch;
  json["threads"] = result.threads;
  json["weights"] = options.decode.weights_name();
  if (result.orders) json["sensitivity"] = orders_json(*result.orders);
  if (result.trace) json["trace"] = trace_json(*result.trace);
  return json;
}

// Of several files: the mean over them, and the worst one.
std::string over_all(const std::vector<FileResult>& results) {
  double sum = 0;
  std::size_t files = 0;
  const FileResult* worst = nullptr;
  for (const FileResult& result : results) {
    if (result.gaps.empty()) continue;
    sum += result.summary.mean;
    ++files;
    if (worst == nullptr || result.summary.mean > worst->summary.mean) worst = &result;
  }
  if (files < 2) return "";
  return fmt::format("mean gap of {} files {} %, worst {} % ({})\n", files,
                     decimal(sum / static_cast<double>(files), 3), decimal(worst->summary.mean, 3),
                     worst->file);
}

std::string to_text(const std::vector<FileResult>& results, const EvalOptions& options) {
  std::vector<std::string> header{"file", "nodes",  "instances", "cost", "gap %",
                                  "ci95", "time s", "per s",     "batch"};
  if (options.refine) header.emplace_back("refine s");
  Table table(header);
  for (const FileResult& result : results) {
    const bool mixed = result.smallest != result.largest;
    const bool gap = !result.gaps.empty();
    std::vector<std::string> cells{
        result.file,
        mixed ? fmt::format("{}-{}", result.smallest, result.largest)
              : std::to_string(result.largest),
        std::to_string(result.instances),
        decimal(result.mean_cost, 4),
        gap ? decimal(result.summary.mean, 3) : "",
        result.gaps.size() > 1 ? decimal(result.ci95.low, 3) + " to " + decimal(result.ci95.high, 3)
                               : "",
        decimal(result.seconds, 3),
        decimal(result.rate(), 1),
        std::to_string(result.batch)};
    if (options.refine) cells.push_back(decimal(result.refine_seconds, 3));
    table.add_row(std::move(cells));
  }
  std::string orders, traces;
  for (const FileResult& result : results) {
    if (result.orders) orders += orders_text(result.file, *result.orders);
    if (result.trace) traces += result.file + "\n" + trace_text(*result.trace);
  }
  std::string lacking;
  for (const FileResult& result : results) {
    if (result.feasible == result.instances) continue;
    lacking += fmt::format("{}: {} of {} plans need more vehicles than there are\n", result.file,
                           result.instances - result.feasible, result.instances);
  }
  return table.text() + lacking + over_all(results) + orders + traces +
         fmt::format("{}, {}, {} threads, peak memory {:.0f} MB\n", options.decode.weights_name(),
                     results[0].decode, results[0].threads,
                     static_cast<double>(peak_rss_bytes()) / 1e6);
}

int evaluate(const EvalOptions& options, const Session& session) {
  options.decode.check();  // before any file is read
  Engines engines(options.decode, session.common().threads);
  std::vector<FileResult> results;
  results.reserve(options.files.size());
  for (const std::string& file : options.files) {
    results.push_back(evaluate_file(file, options, engines, session));
  }
  if (!session.common().json) {
    session.print("{}", to_text(results, options));
    return 0;
  }
  Json all = Json::array();
  for (const FileResult& result : results) all.push_back(to_json(result, options));
  const Json json = all.size() == 1 ? all[0] : Json{{"results", all}};
  session.print("{}\n", json.dump());
  return 0;
}

Body setup_eval(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  app.add_option("file", options->files, "Instances, with reference solutions or costs; many files")
      ->required();
  add_decode_options(app, options->decode);
  app.add_option_function<std::string>(
         "--batch",
         [options = options.get()](const std::string& text) {
           options->batch = text == "max" ? 0 : parse_count("--batch", text, {1, kMostSteps});
         },
         "Instances solved together")
      ->type_name("N|max")
      ->default_str("max");
  app.add_flag("--refine", options->refine,
               "Improve every result by local search; its time is told apart");
  app.add_option("--costs", options->costs,
                 "References: CSV with file, index and cost, or with name and bks")
      ->type_name("FILE");
  add_count(app, "--limit", options->limit, {0, kMostSteps}, "Only the first n instances (0: all)");
  add_count(app, "--permutations", options->permutations, {2, 10'000},
            "Solve every instance in that many random input orders too: mean gap of each order and "
            "their deviation");
  app.add_flag("--each", options->each, "With --json: the gap of every instance, too");
  app.add_flag(
      "--trace", options->trace,
      "Merging: what each round linked and what it cost in the end, by the expert's cost of "
      "the rest before and after; slow");
  add_choice(app, "--round", options->rounding, rounding_from,
             {"none", "nint", "ceil", "trunc", "dimacs"},
             "Rounding of distances, where the format's convention is not meant");
  return [options](const Session& session) { return evaluate(*options, session); };
}

}  // namespace

Verb eval_verb() {
  return {"eval", "Measure a policy on files of instances: cost, gap, time, memory",
          "eco eval tsp100.txt --decode sample:16 --json\n"
          "  eco eval reference/*.txt --weights eco.safetensors --batch 8\n"
          "  eco eval tsplib/*.tsp --costs tsplib/bks.csv\n"
          "  eco eval tsp500.txt --limit 16 --trace",

          setup_eval};
}

}  // namespace eco::cli
