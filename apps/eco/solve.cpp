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
#include "eco/outputs.h"
#include "eco/read_one.h"
#include "eco/rounding.h"
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
  std::optional<const Method*> method;       // unset: chosen by what else is given
  std::string expert_option, policy_option;  // the first one given of each kind
  ExpertChoice expert;
  DecodeChoice decode;
  bool refine = false;
  std::optional<double> time_limit;
  std::optional<Rounding> rounding;
  std::optional<std::uint64_t> index;
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
  const double per_node = options.svg.empty() ? 7e-7 : 1.3e-6;
  return 0.01 + per_node * static_cast<double>(instance.size());
}

// The first of them that was given; empty if none was.
std::string first_given(const std::vector<CLI::Option*>& options) {
  for (const CLI::Option* option : options) {
    if (option->count() > 0) return option->get_name();
  }
  return "";
}

// Everything that can be said before the instance is read.
void check_solve_options(const SolveOptions& options, const Session& session) {
  const auto& expert = options.expert_option;
  const auto& policy = options.policy_option;
  const std::string_view method = options.method ? (*options.method)->name : "";
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (options.method && !expert.empty() && method != "expert") {
    refuse(fmt::format("{} is for --method expert, not for {}", expert, method));
  }
  if (options.method && !policy.empty() && method != "neural") {
    refuse(fmt::format("{} is for --method neural, not for {}", policy, method));
  }
  if (!expert.empty() && !policy.empty()) {
    refuse(fmt::format("{} asks for an expert and {} for a policy; choose one", expert, policy));
  }
  options.expert.check();
  (void)options.decode.resolve();
  if (!options.out.empty()) (void)io::solution_format_by_name(options.out, std::nullopt);
  const std::array inputs{NamedFile{"file", options.file},
                          NamedFile{"--weights", options.decode.weights}};
  const std::array outputs{NamedFile{"--out", options.out}, NamedFile{"--svg", options.svg}};
  check_outputs(inputs, outputs, session);
}

std::optional<const Method*> method_from(const std::string& name) {
  for (const Method& method : all_methods()) {
    if (method.name == name) return &method;
  }
  return std::nullopt;
}

// An option of a policy or of an expert asks for it; otherwise the policy that this program
// carries. A policy reads coordinates, so distances that are given as a matrix are for the expert.
const Method& method_for(const Instance& instance, const SolveOptions& options,
                         const Session& session) {
  const bool matrix = instance.metric == Metric::matrix;
  bool neural = !matrix && has_embedded_weights(instance.kind);
  if (!options.expert_option.empty()) neural = false;
  if (!options.policy_option.empty()) neural = true;
  const Method& method =
      options.method ? **options.method : **method_from(neural ? "neural" : "expert");
  if (matrix && method.name == "neural") {
    session.log(
        LogLevel::warn,
        "the policy reads the locations, not the distance matrix; --method expert reads it");
  }
  return method;
}

Outcome run(const Instance& instance, const SolveOptions& options, const Session& session) {
  const Deadline deadline = options.time_limit
                                ? Deadline::after(*options.time_limit - since(kProcessStart) -
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
  outcome.method = &method_for(instance, options, session);
  MethodResult made =
      outcome.method->run({instance, deadline, options.expert, options.decode, session});
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
  return fmt::format("{}#{}", options.file, options.index.value_or(0));
}

std::string method_text(const SolveOptions& options, const Outcome& outcome) {
  std::string text(outcome.method->name);
  if (!outcome.detail.empty()) text += " (" + outcome.detail + ")";
  if (options.refine) text += " + refine";
  return text;
}

Json to_json(const Instance& instance, const SolveOptions& options, const Outcome& outcome,
             const Session& session) {
  const bool depot = instance.has_depot();
  Json json{{"file", options.file},
            {"index", options.index.value_or(0)},
            {"name", name_of(instance, options)},
            {"problem", to_string(instance.kind)},
            {"nodes", instance.size()},
            {"metric", to_string(instance.metric)},
            {"rounding", rounding_name(instance.metric, instance.rounding)},
            {"feasible", outcome.checked.feasible},
            {"cost", outcome.checked.cost}};
  if (!outcome.checked.feasible) json["reason"] = outcome.checked.reason;
  if (depot) {
    json["capacity"] = instance.capacity;
    if (instance.vehicles) json["vehicles"] = *instance.vehicles;
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
  const bool depot = instance.has_depot();
  std::string text =
      fmt::format("{}: {}, {} {}", name_of(instance, options), to_string(instance.kind),
                  instance.customers(), depot ? "customers" : "nodes");
  if (depot) text += fmt::format(", capacity {}", instance.capacity);
  text += fmt::format("\n  cost    {} ({})\n", outcome.checked.cost,
                      metric_text(instance.metric, instance.rounding));
  if (instance.reference_cost) {
    text += fmt::format("  gap     {:+.3f}% of the reference {}\n",
                        gap_percent(outcome.checked.cost, *instance.reference_cost),
                        *instance.reference_cost);
  }
  if (depot) text += fmt::format("  routes  {}\n", outcome.checked.routes);
  if (outcome.checked.lacks_vehicles) {
    text += fmt::format("  infeasible: the plan found needs {} vehicles, the instance has {}\n",
                        outcome.checked.routes, *instance.vehicles);
  }
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

// Both files or none.
void write(const Instance& instance, const SolveOptions& options, const Outcome& outcome) {
  std::unique_ptr<io::Output> picture, solution;
  if (!options.svg.empty()) {
    picture = io::prepare_svg(options.svg, instance, &outcome.solution);
  }
  if (!options.out.empty()) {
    solution = io::prepare_solution(options.out, instance, outcome.solution);
  }
  if (picture) picture->commit();
  if (solution) solution->commit();
}

int solve(const SolveOptions& options, const Session& session) {
  check_solve_options(options, session);
  const auto reader = io::open_instances(options.file, {options.rounding, std::nullopt});
  const Instance instance = read_one(*reader, options.file, options.index, session);
  warn_if_rounding_erases(session, instance);
  if (!options.out.empty()) (void)io::solution_format_by_name(options.out, instance.kind);
  if (!options.svg.empty()) io::require_drawable(instance);
  const Outcome outcome = run(instance, options, session);
  write(instance, options, outcome);
  if (session.common().json) {
    session.print("{}\n", to_json(instance, options, outcome, session).dump());
  } else if (options.out == "-" || options.svg == "-") {
    session.log(LogLevel::info, "{}", to_text(instance, options, outcome));
  } else {
    session.print("{}", to_text(instance, options, outcome));
  }
  session.throw_if_interrupted();
  return outcome.checked.feasible ? 0 : 1;
}

Body setup_solve(CLI::App& app) {
  const auto options = std::make_shared<SolveOptions>();
  app.add_option("file", options->file, "Instance file of any format; - is stdin")->required();
  add_choice(app, "--method", options->method, method_from, names_of(all_methods()),
             "How the solution is made [neural where this program has weights, else expert]");
  const auto expert_options = add_expert_options(app, options->expert);
  const auto policy_options = add_decode_options(app, options->decode);
  app.add_flag("--refine", options->refine,
               "Improve the result by local search; named in the result");
  add_seconds(app, "--time-limit", options->time_limit, "From the start of the program to its end");
  app.add_option("--out", options->out,
                 "Solution file: .tour (TSP), .sol (CVRP) or .json; - is stdout");
  app.add_option("--svg", options->svg, "A picture of the solution; - is stdout");
  add_choice(app, "--round", options->rounding, rounding_from,
             {"none", "nint", "ceil", "trunc", "dimacs"},
             "Rounding of distances, where the format's convention is not meant");
  add_index_option(app, options->index);
  return [options, expert_options, policy_options](const Session& session) {
    options->expert_option = first_given(expert_options);
    options->policy_option = first_given(policy_options);
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
