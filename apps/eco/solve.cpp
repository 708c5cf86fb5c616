// eco solve: one instance, one solution, by a method of the table in methods.cpp.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "core/search/local_search.h"
#include "eco/methods.h"
#include "eco/options.h"
#include "eco/verb.h"
#include "io/reader.h"
#include "io/svg.h"
#include "io/writer.h"
#include "report/gap.h"
#include "solver/embedded_weights.h"

namespace eco::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

// As near to the start of the process as can be told without asking the system.
const Clock::time_point kProcessStart = Clock::now();

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct SolveOptions {
  std::string file, out, svg;
  std::optional<const Method*> method;  // unset: chosen by what else is given
  bool expert_named = false;            // by one of its own options
  ExpertChoice expert;
  DecodeChoice decode;
  bool refine = false;
  std::optional<double> time_limit;
  std::optional<Rounding> rounding;
  std::size_t index = 0;
};

struct Outcome {
  Solution solution;
  CheckResult checked;
  const Method* method = nullptr;
  std::string detail;
  double method_seconds = 0, refine_seconds = 0;
  double cost_before_refinement = 0;
  [[nodiscard]] double seconds() const { return method_seconds + refine_seconds; }
  bool interrupted = false;
};

// Of a time limit, kept back for filling in, checking and writing the result.
double seconds_to_finish(const Instance& instance, const SolveOptions& options) {
  const double per_node = options.svg.empty() ? 4e-7 : 1e-6;
  return 0.01 + per_node * static_cast<double>(instance.size());
}

std::optional<const Method*> method_from(const std::string& name) {
  for (const Method& method : all_methods()) {
    if (method.name == name) return &method;
  }
  return std::nullopt;
}

// Naming weights or an expert is asking for them; otherwise the policy that this program carries,
// if it can read the instance.
const Method& method_for(const Instance& instance, const SolveOptions& options) {
  if (options.method) return **options.method;
  const bool neural =
      !options.decode.weights.empty() ||
      (!options.expert_named && instance.has_points() && has_embedded_weights(instance.kind));
  return **method_from(neural ? "neural" : "expert");
}

Instance read(const SolveOptions& options) {
  const auto reader = io::open_instances(options.file, {options.rounding, std::nullopt});
  std::size_t skipped = 0;
  for (;; ++skipped) {
    std::optional<Instance> instance = reader->next();
    if (!instance) break;
    if (skipped == options.index) return std::move(*instance);
  }
  if (skipped == 0) throw input_error({options.file, 0}, "no instance in the file");
  throw Error(ErrorKind::usage,
              fmt::format("{}: --index {}, but the file has {} instance{}", options.file,
                          options.index, skipped, skipped == 1 ? "" : "s"));
}

Outcome run(const Instance& instance, const SolveOptions& options, const Session& session) {
  const bool limited = options.time_limit.has_value();
  const Deadline deadline = limited ? Deadline::after(*options.time_limit - since(kProcessStart) -
                                                          seconds_to_finish(instance, options),
                                                      session.stop())
                                    : Deadline::when_cancelled(session.stop());
  Clock::time_point start = Clock::now();
  const auto lap = [&start] {
    const double seconds = since(start);
    start = Clock::now();
    return seconds;
  };
  Outcome outcome;
  outcome.method = &method_for(instance, options);
  MethodResult made =
      outcome.method->run({instance, deadline, limited, options.expert, options.decode, session});
  outcome.method_seconds = lap();
  if (options.refine) {
    outcome.cost_before_refinement = cost(instance, made.solution);
    if (!deadline.reached()) (void)refine(instance, made.solution, deadline);
    outcome.refine_seconds = lap();
  }
  (void)require_feasible(instance, made.solution);
  outcome.checked = check(instance, made.solution);
  outcome.solution = std::move(made.solution);
  outcome.detail = std::move(made.detail);
  outcome.interrupted = session.stop().stop_requested();
  return outcome;
}

std::string name_of(const Instance& instance, const SolveOptions& options) {
  if (!instance.name.empty()) return instance.name;
  return fmt::format("{}#{}", options.file, options.index);
}

std::string method_text(const SolveOptions& options, const Outcome& outcome) {
  std::string text(outcome.method->name);
  if (!outcome.detail.empty()) text += " (" + outcome.detail + ")";
  if (options.refine) text += " + refine";
  return text;
}

Json to_json(const Instance& instance, const SolveOptions& options, const Outcome& outcome,
             const Session& session) {
  const bool cvrp = instance.kind == ProblemKind::cvrp;
  Json json{{"file", options.file},
            {"index", options.index},
            {"name", name_of(instance, options)},
            {"problem", to_string(instance.kind)},
            {"nodes", instance.size()},
            {"metric", to_string(instance.metric)},
            {"rounding", to_string(instance.rounding)},
            {"feasible", true},
            {"cost", outcome.checked.cost}};
  if (cvrp) {
    json["capacity"] = instance.capacity;
    json["routes"] = outcome.checked.routes;
  }
  if (instance.reference_cost) {
    json["reference_cost"] = *instance.reference_cost;
    json["gap_percent"] = gap_percent(outcome.checked.cost, *instance.reference_cost);
  }
  json["method"] = outcome.method->name;
  if (!outcome.detail.empty()) json["method_detail"] = outcome.detail;
  json["refine"] = options.refine;
  json["seed"] = session.common().seed;
  if (options.time_limit) json["time_limit"] = *options.time_limit;
  json["seconds"] = outcome.seconds();
  if (options.refine) {
    json["method_seconds"] = outcome.method_seconds;
    json["refine_seconds"] = outcome.refine_seconds;
    json["cost_before_refinement"] = outcome.cost_before_refinement;
  }
  json["total_seconds"] = since(kProcessStart);
  json["interrupted"] = outcome.interrupted;
  if (!options.out.empty()) json["out"] = options.out;
  if (!options.svg.empty()) json["svg"] = options.svg;
  return json;
}

std::string to_text(const Instance& instance, const SolveOptions& options, const Outcome& outcome) {
  const bool cvrp = instance.kind == ProblemKind::cvrp;
  std::string text =
      fmt::format("{}: {}, {} {}", name_of(instance, options), to_string(instance.kind),
                  instance.customers(), cvrp ? "customers" : "nodes");
  if (cvrp) text += fmt::format(", capacity {}", instance.capacity);
  text += fmt::format("\n  cost    {} ({}, rounding {})\n", outcome.checked.cost,
                      to_string(instance.metric), to_string(instance.rounding));
  if (instance.reference_cost) {
    text += fmt::format("  gap     {:+.3f}% of the reference {}\n",
                        gap_percent(outcome.checked.cost, *instance.reference_cost),
                        *instance.reference_cost);
  }
  if (cvrp) text += fmt::format("  routes  {}\n", outcome.checked.routes);
  text += fmt::format("  method  {}\n  time    {:.3f} s", method_text(options, outcome),
                      outcome.seconds());
  if (options.refine) {
    text +=
        fmt::format(" ({:.3f} s to a cost of {}, then {:.3f} s of refinement)",
                    outcome.method_seconds, outcome.cost_before_refinement, outcome.refine_seconds);
  }
  text += '\n';
  if (outcome.interrupted) text += "  interrupted: the best found so far\n";
  return text;
}

int solve(const SolveOptions& options, const Session& session) {
  const Instance instance = read(options);
  const Outcome outcome = run(instance, options, session);
  if (!options.out.empty()) io::write_solution(options.out, instance, outcome.solution);
  if (!options.svg.empty()) io::write_svg(options.svg, instance, &outcome.solution);
  if (session.common().json) {
    session.print("{}\n", to_json(instance, options, outcome, session).dump());
  } else {
    session.print("{}", to_text(instance, options, outcome));
  }
  session.throw_if_interrupted();
  return 0;
}

Body setup_solve(CLI::App& app) {
  const auto options = std::make_shared<SolveOptions>();
  app.add_option("file", options->file, "Instance file of any format; - is stdin")->required();
  add_choice(app, "--method", options->method, method_from, names_of(all_methods()),
             "How the solution is made [neural where this program has weights, else expert]");
  add_expert_options(app, options->expert);
  add_decode_options(app, options->decode);
  app.add_flag("--refine", options->refine,
               "Improve the result by local search; named in the result");
  app.add_option("--time-limit", options->time_limit,
                 "Seconds from the start of the program to its end")
      ->check(CLI::PositiveNumber);
  app.add_option("--out", options->out, "Solution file: .tour (TSP), .sol (CVRP) or .json");
  app.add_option("--svg", options->svg, "A picture of the solution");
  add_choice(app, "--round", options->rounding, rounding_from,
             {"none", "nint", "ceil", "trunc", "dimacs"},
             "Rounding of distances, where the format's convention is not meant");
  app.add_option("--index", options->index, "Which instance of the file, from 0")
      ->capture_default_str();
  const std::array expert_options{app.get_option("--expert"), app.get_option("--iterations"),
                                  app.get_option("--solver-path")};
  return [options, expert_options](const Session& session) {
    options->expert_named = std::any_of(expert_options.begin(), expert_options.end(),
                                        [](const CLI::Option* o) { return o->count() > 0; });
    return solve(*options, session);
  };
}

}  // namespace

Verb solve_verb() {
  return {"solve", "Solve one instance",
          "eco solve kroA100.tsp --time-limit 2 --out kroA100.tour --svg kroA100.svg\n"
          "  eco solve cvrp100.txt --index 7 --method savings --refine --json",
          setup_solve};
}

}  // namespace eco::cli
