#include <eco/solver.h>

#include <array>
#include <chrono>
#include <utility>

#include "core/base/deadline.h"
#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode_keys.h"
#include "io/weights.h"
#include "solver/engine_pool.h"
#include "solver/plan.h"
#include "solver/problem_data.h"

namespace eco {

namespace {

using SolverClock = std::chrono::steady_clock;

double seconds_since(SolverClock::time_point start) {
  return std::chrono::duration<double>(SolverClock::now() - start).count();
}

DecodeOptions decode_of(const Solver::Options& options) {
  DecodeOptions decode;
  if (options.decode) set_decode_key("decode", *options.decode, decode);
  if (options.effort) set_decode_key("effort", *options.effort, decode);
  decode.temperature = options.temperature;
  decode.top_k = options.top_k;
  decode.candidates = options.candidates;
  return decode;
}

Deadline deadline_of(const Solver::Options& options) {
  // NaN is not 0 or more either.
  if (!(options.time_limit >= 0)) {
    throw Error(ErrorKind::usage, "the time limit must be 0 (none) or more seconds");
  }
  if (options.time_limit == 0) return Deadline::when_cancelled(options.cancel);
  return Deadline::after(options.time_limit, options.cancel);
}

std::vector<std::uint32_t> indices(std::span<const NodeId> nodes) {
  std::vector<std::uint32_t> result;
  result.reserve(nodes.size());
  for (const NodeId node : nodes) result.push_back(static_cast<std::uint32_t>(node.index()));
  return result;
}

// The start as given: nothing if there is none.
std::optional<Solution> start_of(const Instance& instance, const Solver::Options& options) {
  if (options.start.empty()) return std::nullopt;
  if (options.method != "auto" && options.method != "expert") {
    throw Error(ErrorKind::usage, "the method " + options.method + " does not begin with a plan");
  }
  Routes routes;
  for (const auto& given : options.start) {
    Route& route = routes.emplace_back();
    for (const std::uint32_t node : given) route.emplace_back(node);
  }
  Solution start = instance.has_depot() ? from_routes(routes) : Solution{routes.front()};
  const CheckResult judged = check(instance, start);
  if ((judged.feasible || judged.lacks_vehicles) && (instance.has_depot() || routes.size() == 1)) {
    return start;
  }
  throw input_error(
      {}, "the start is infeasible: " + (judged.feasible ? "a tour is one route" : judged.reason));
}

void add_routes(const Instance& instance, const Solution& solution, Solver::Result& result) {
  if (!instance.has_depot()) {
    result.routes.push_back(indices(solution.sequence));
    return;
  }
  for (const Route& route : to_routes(solution)) {
    result.routes.push_back(indices(route));
    std::int64_t load = 0;
    for (const NodeId node : route) load += instance.demands[node.index()];
    result.loads.push_back(load);
  }
}

}  // namespace

struct Solver::State {
  std::array<EnginePool, kProblems.size()> pools;

  EnginePool& pool(ProblemKind kind) { return pools[index_of(kind)]; }
  // The pool of its own weights, or else of those that serve it (ProblemFacts::policy).
  EnginePool& serving(ProblemKind kind) {
    return pool(pool(kind).usable() ? kind : facts_of(kind).policy);
  }
};

Solver::Solver() : state_(std::make_unique<State>()) {
  for (const ProblemKind kind : kProblems) {
    if (has_own_weights(kind)) state_->pool(kind).use_embedded(kind);
  }
}

Solver::Solver(const std::string& weights_file) : state_(std::make_unique<State>()) {
  const Weights weights = io::load_weights(weights_file);
  state_->pool(weights.config().problem).set_model(Engine::pack(weights));
}

Solver::Solver(std::span<const std::byte> weights) : state_(std::make_unique<State>()) {
  const Weights parsed = io::parse_weights(weights, "weights in memory");
  state_->pool(parsed.config().problem).set_model(Engine::pack(parsed));
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

bool Solver::has_policy(const Problem& problem) const {
  return state_->serving(problem.data_->instance.kind).usable();
}

Solver::Result Solver::solve(const Problem& problem, const Options& options) const {
  const auto start = SolverClock::now();
  const Instance& instance = problem.data_->instance;
  validate(instance);
  if (options.threads > kMostThreads) {
    throw Error(ErrorKind::usage, "at most " + std::to_string(kMostThreads) + " threads");
  }
  const std::optional<Solution> first = start_of(instance, options);
  PlanRequest request(instance);
  request.method = options.method;
  request.deadline = deadline_of(options);
  request.cancel = options.cancel;
  request.seed = options.seed;
  request.threads = options.threads;
  request.policy = &state_->serving(instance.kind);
  request.policy_name = "weights of the solver";
  request.decode = decode_of(options);
  request.iterations = options.iterations;
  request.start = first ? &*first : nullptr;
  request.refine = options.refine;
  if (options.progress) {
    request.progress = [&](const PlanProgress& at) {
      options.progress({static_cast<Phase>(at.phase), at.share, at.cost, seconds_since(start)});
    };
  }
  Plan plan = make_plan(request);
  Result result;
  add_routes(instance, plan.solution, result);
  result.cost = plan.checked.cost;
  result.lacks_vehicles = plan.checked.lacks_vehicles;
  result.made_cost = plan.made_cost;
  result.complete = plan.complete;
  result.seconds = seconds_since(start);
  result.time_limit = plan.own_limit.value_or(options.time_limit);
  for (const auto& [seconds, cost] : plan.record) result.record.push_back({seconds, cost});
  result.detail = std::move(plan.detail);
  return result;
}

Solver::Result Solver::solve(const Problem& problem) const {
  return solve(problem, Options{});
}

}  // namespace eco
