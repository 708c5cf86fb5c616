// eco solve: one instance, one plan (solver/plan.h).

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/instance/embedding.h"
#include "core/problem/check.h"
#include "eco/decode_options.h"
#include "eco/expert_options.h"
#include "eco/options.h"
#include "eco/outputs.h"
#include "eco/plan_json.h"
#include "eco/progress.h"
#include "eco/read_one.h"
#include "eco/reading_options.h"
#include "eco/rounding.h"
#include "eco/verb.h"
#include "io/json/instance.h"
#include "io/reader.h"
#include "io/svg.h"
#include "io/writer.h"
#include "report/gap.h"
#include "solver/plan.h"

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
  std::string file, start, out, svg;
  std::optional<std::string> method;         // unset: chosen by what else is given
  std::string expert_option, policy_option;  // the first one given of each kind
  ExpertChoice expert;
  DecodeChoice decode;
  bool refine = false;
  bool embed = false;
  std::optional<double> time_limit;
  io::ReadOptions reading;
  std::optional<std::uint64_t> index;
  bool all = false;
  Clock::time_point begin = kProcessStart;  // from where the time limit counts
};

struct Outcome {
  std::string method;
  Plan plan;
  [[nodiscard]] double seconds() const { return plan.made_seconds + plan.refine_seconds; }
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
  const std::string method = options.method.value_or("");
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (options.method && !expert.empty() && method != "expert" && method != "auto") {
    refuse(fmt::format("{} is for --method expert or auto, not for {}", expert, method));
  }
  if (options.method && !policy.empty() && method != "policy") {
    refuse(fmt::format("{} is for --method policy, not for {}", policy, method));
  }
  if (!expert.empty() && !policy.empty()) {
    refuse(fmt::format("{} asks for an expert and {} for a policy; choose one", expert, policy));
  }
  options.expert.check();
  options.decode.check();
  if (options.all) {
    if (options.index || !options.start.empty() || !options.svg.empty()) {
      refuse("--index, --start and --svg are for one instance, not for --all");
    }
    if (!options.out.empty() && !options.out.ends_with(".jsonl")) {
      refuse(options.out + ": --all writes a solution a line; expected a name in .jsonl");
    }
  } else if (!options.out.empty()) {
    (void)io::solution_format_by_name(options.out, std::nullopt);
  }
  const std::array inputs{NamedFile{"file", options.file},
                          NamedFile{"--weights", options.decode.weights},
                          NamedFile{"--start", options.start}};
  const std::array outputs{NamedFile{"--out", options.out}, NamedFile{"--svg", options.svg}};
  check_outputs(inputs, outputs, session);
}

std::optional<std::string> method_from(const std::string& name) {
  for (const Method& method : all_methods()) {
    if (method.name == name) return name;
  }
  return std::nullopt;
}

// An option of a policy or of an external program asks for it; otherwise the best plan in the time
// there is.
std::string method_for(const Instance& instance, const SolveOptions& options,
                       const Session& session) {
  std::string method = "auto";
  if (options.expert.name != "auto") method = "expert";
  if (!options.policy_option.empty()) method = "policy";
  if (options.method) method = *options.method;
  if (instance.metric == Metric::matrix && !options.embed && method == "policy") {
    session.log(LogLevel::warn,
                "the policy reads the locations, not the distance matrix; --method auto reads it");
  }
  return method;
}

// Coordinates that stand for a matrix, where they are asked for; how well they do.
std::optional<double> embed_if_asked(Instance& instance, const SolveOptions& options,
                                     const Session& session) {
  if (!options.embed) return std::nullopt;
  if (instance.metric != Metric::matrix) {
    throw Error(ErrorKind::usage, "--embed is for distances given as a matrix, not for " +
                                      std::string(to_string(instance.metric)));
  }
  Embedding embedding = embed(instance);
  instance.points = std::move(embedding.points);
  session.log(LogLevel::info,
              "the matrix in the plane: distances are off by {:.1f}% of a typical one",
              100 * embedding.distortion);
  return embedding.distortion;
}

// The plan to begin with. It may lack vehicles, not more.
Solution start_for(const Instance& instance, const SolveOptions& options) {
  Solution start = io::read_solution(options.start, instance);
  const CheckResult judged = check(instance, start);
  if (!judged.feasible && !judged.lacks_vehicles) {
    throw input_error({options.start, 0}, "infeasible: " + judged.reason);
  }
  return start;
}

std::string phase_name(PlanPhase phase) {
  if (phase == PlanPhase::construct) return "construct";
  return phase == PlanPhase::search ? "search" : "refine";
}

Outcome run(const Instance& instance, const SolveOptions& options, const Solution* start,
            const Session& session) {
  Outcome outcome;
  outcome.method = method_for(instance, options, session);
  PlanRequest request(instance);
  request.method = outcome.method;
  request.deadline = options.time_limit
                         ? Deadline::after(*options.time_limit - since(options.begin) -
                                               seconds_to_finish(instance, options),
                                           session.stop())
                         : Deadline::when_cancelled(session.stop());
  request.cancel = session.stop();
  request.seed = session.common().seed;
  request.threads = session.common().threads;
  EnginePool pool;
  options.decode.fill(pool, instance.kind);
  request.policy = &pool;
  request.policy_name = options.decode.weights_name();
  request.decode = options.decode.options;
  request.expert = options.expert.name;
  request.iterations = options.expert.options.iterations;
  request.solver_path = options.expert.options.solver_path;
  request.start = start;
  request.refine = options.refine;
  Progress progress(session, "", 0);
  request.progress = [&](const PlanProgress& at) {
    progress.reach(phase_name(at.phase), at.share, at.cost);
  };
  outcome.plan = make_plan(request);
  outcome.interrupted = session.stop().stop_requested();
  return outcome;
}

std::string name_of(const Instance& instance, const SolveOptions& options) {
  if (!instance.name.empty()) return instance.name;
  return fmt::format("{}#{}", options.file, options.index.value_or(0));
}

std::string method_text(const SolveOptions& options, const Outcome& outcome) {
  std::string text = outcome.method;
  if (!outcome.plan.detail.empty()) text += " (" + outcome.plan.detail + ")";
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
            {"feasible", outcome.plan.checked.feasible},
            {"cost", outcome.plan.checked.cost}};
  if (!outcome.plan.checked.feasible) json["reason"] = outcome.plan.checked.reason;
  if (depot) {
    json["capacity"] = instance.capacity;
    if (instance.vehicles) json["vehicles"] = *instance.vehicles;
  }
  add_plan(json, instance, outcome.plan.solution);
  if (instance.reference_cost) {
    json["reference_cost"] = *instance.reference_cost;
    json["gap_percent"] = gap_percent(outcome.plan.checked.cost, *instance.reference_cost);
  }
  json["method"] = outcome.method;
  if (!outcome.plan.detail.empty()) json["method_detail"] = outcome.plan.detail;
  if (!options.start.empty()) json["start"] = options.start;
  json["refine"] = options.refine;
  json["seed"] = session.common().seed;
  if (options.time_limit) json["time_limit"] = *options.time_limit;
  if (outcome.plan.own_limit) json["time_limit"] = *outcome.plan.own_limit;
  json["seconds"] = outcome.seconds();
  if (options.refine) {
    json["method_seconds"] = outcome.plan.made_seconds;
    json["refine_seconds"] = outcome.plan.refine_seconds;
    json["cost_before_refinement"] = outcome.plan.made_cost;
  }
  json["record"] = Json::array();
  for (const auto& [seconds, cost] : outcome.plan.record) json["record"].push_back({seconds, cost});
  json["total_seconds"] = since(options.begin);
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
  text += fmt::format("\n  cost    {} ({})\n", outcome.plan.checked.cost,
                      metric_text(instance.metric, instance.rounding));
  if (instance.reference_cost) {
    text += fmt::format("  gap     {:+.3f}% of the reference {}\n",
                        gap_percent(outcome.plan.checked.cost, *instance.reference_cost),
                        *instance.reference_cost);
  }
  if (depot) text += fmt::format("  routes  {}\n", outcome.plan.checked.routes);
  if (outcome.plan.checked.lacks_vehicles) {
    text += fmt::format("  infeasible: the plan found needs {} vehicles, the instance has {}\n",
                        outcome.plan.checked.routes, *instance.vehicles);
  }
  text += fmt::format("  method  {}\n  time    {:.3f} s", method_text(options, outcome),
                      outcome.seconds());
  if (options.refine) {
    text +=
        fmt::format(" ({:.3f} s to a cost of {}, then {:.3f} s of refinement)",
                    outcome.plan.made_seconds, outcome.plan.made_cost, outcome.plan.refine_seconds);
  }
  if (outcome.plan.own_limit) {
    text += fmt::format(" (of {:g} s for {} nodes; --time-limit sets another)",
                        *outcome.plan.own_limit, instance.size());
  }
  text += '\n';
  if (outcome.interrupted) text += "  interrupted: the best found so far\n";
  return text;
}

// Both files or none.
void write(const Instance& instance, const SolveOptions& options, const Outcome& outcome) {
  std::unique_ptr<io::Output> picture, solution;
  if (!options.svg.empty()) {
    picture = io::prepare_svg(options.svg, instance, &outcome.plan.solution);
  }
  if (!options.out.empty()) {
    solution = io::prepare_solution(options.out, instance, outcome.plan.solution);
  }
  if (picture) picture->commit();
  if (solution) solution->commit();
}

// What is said of a result: JSON or text on stdout, or on stderr where stdout has the solution.
void report(const Instance& instance, const SolveOptions& options, const Outcome& outcome,
            std::optional<double> distortion, const Session& session) {
  if (session.common().json) {
    Json json = to_json(instance, options, outcome, session);
    if (distortion) json["embedding_distortion"] = *distortion;
    session.print("{}\n", json.dump());
  } else if (options.out == "-" || options.svg == "-") {
    session.log(LogLevel::info, "{}", to_text(instance, options, outcome));
  } else {
    session.print("{}", to_text(instance, options, outcome));
  }
}

// Every instance of the file, one after the other; the time limit is for each.
int solve_all(SolveOptions options, const Session& session) {
  check_solve_options(options, session);
  const auto reader = io::open_instances(options.file, options.reading);
  std::unique_ptr<io::Output> solutions;
  if (!options.out.empty()) solutions = std::make_unique<io::Output>(options.out);
  bool feasible = true;
  for (std::uint64_t index = 0;; ++index) {
    options.begin = Clock::now();
    std::optional<Instance> instance = reader->next();
    if (!instance && index == 0) throw input_error({options.file, 0}, "no instance in the file");
    if (!instance) break;
    options.index = index;
    warn_if_rounding_erases(session, *instance);
    const std::optional<double> distortion = embed_if_asked(*instance, options, session);
    const Outcome outcome = run(*instance, options, nullptr, session);
    if (solutions) {
      io::write_json_solution(*solutions, *instance, outcome.plan.solution,
                              outcome.plan.checked.cost);
    }
    report(*instance, options, outcome, distortion, session);
    feasible = feasible && outcome.plan.checked.feasible;
    if (outcome.interrupted) break;
  }
  if (solutions) solutions->commit();
  session.throw_if_interrupted();
  return feasible ? 0 : 1;
}

int solve(const SolveOptions& options, const Session& session) {
  if (options.all) return solve_all(options, session);
  check_solve_options(options, session);
  const auto reader = io::open_instances(options.file, options.reading);
  Instance instance = read_one(*reader, options.file, options.index, session);
  warn_if_rounding_erases(session, instance);
  const std::optional<double> distortion = embed_if_asked(instance, options, session);
  if (!options.out.empty()) io::require_solution_format(options.out, instance);
  if (!options.svg.empty()) io::require_drawable(instance);
  std::optional<Solution> start;
  if (!options.start.empty()) start = start_for(instance, options);
  const Outcome outcome = run(instance, options, start ? &*start : nullptr, session);
  write(instance, options, outcome);
  report(instance, options, outcome, distortion, session);
  session.throw_if_interrupted();
  return outcome.plan.checked.feasible ? 0 : 1;
}

Body setup_solve(CLI::App& app) {
  const auto options = std::make_shared<SolveOptions>();
  app.add_option("file", options->file, "Instance file of any format; - is stdin")->required();
  add_choice(app, "--method", options->method, method_from, names_of(all_methods()),
             "How the plan is made [auto; policy if one of its options is given]");
  auto expert_options = add_expert_options(app, options->expert);
  expert_options.push_back(app.add_option("--start", options->start,
                                          "A plan to begin with (.sol .tour .json .csv), which the "
                                          "expert never makes longer")
                               ->type_name("FILE"));
  const auto policy_options = add_decode_options(app, options->decode);
  app.add_flag("--refine", options->refine,
               "Improve the result by local search; named in the result");
  app.add_flag(
      "--embed", options->embed,
      "A matrix: place its nodes in the plane for the policy and the picture; says how far "
      "off that is");
  add_seconds(app, "--time-limit", options->time_limit, "From the start of the program to its end");
  app.add_option("--out", options->out,
                 "Solution file: .tour (TSP), .sol (CVRP), .json, .csv or .geojson; - is stdout");
  app.add_option("--svg", options->svg, "A picture of the solution; - is stdout");
  add_reading_options(app, options->reading);
  add_index_option(app, options->index);
  app.add_flag("--all", options->all,
               "Every instance of the file; --out FILE.jsonl has a solution a line");
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
          "  eco solve kroA100.tsp --method policy --effort thorough\n"
          "  eco solve orders.csv --capacity 40 --depot Warehouse --out plan.csv --svg plan.svg\n"
          "  eco solve city.vrp --start yesterday.sol --vehicles 12 --out today.sol\n"
          "  eco solve cvrp100.txt --index 7 --method savings --refine --json",
          setup_solve};
}

}  // namespace eco::cli
