#include "solver/solver_state.h"

#include <chrono>
#include <utility>

#include "core/base/deadline.h"
#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode_text.h"
#include "core/infer/engine.h"
#include "core/infer/step_counter.h"
#include "core/problem/check.h"
#include "core/search/local_search.h"
#include "io/weights.h"
#include "solver/fallback.h"

namespace eco {

namespace {

using SolverClock = std::chrono::steady_clock;

double seconds_since(SolverClock::time_point start) {
  return std::chrono::duration<double>(SolverClock::now() - start).count();
}

DecodeOptions decode_of(const Solver::Options& options) {
  DecodeOptions decode;
  set_decode(options.decode, decode);
  decode.temperature = options.temperature;
  decode.top_k = options.top_k;
  decode.candidates = options.candidates;
  const std::optional<Effort> effort = effort_from(options.effort);
  if (!effort) {
    throw Error(ErrorKind::usage,
                "effort " + quoted(options.effort) + ": expected fast, balanced or thorough");
  }
  decode.effort = *effort;
  decode.seed = options.seed;
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

}  // namespace

Instance plain_instance(ProblemKind kind, std::span<const Solver::Point> points) {
  Instance instance;
  instance.kind = kind;
  instance.points.reserve(points.size());
  for (const Solver::Point& p : points) instance.points.push_back({p[0], p[1]});
  return instance;
}

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

Solver::Result Solver::State::solve(const Instance& instance, const Options& options) {
  const auto start = SolverClock::now();
  const Deadline deadline = deadline_of(options);
  validate(instance);
  if (!serving(instance.kind).usable()) {
    throw Error(ErrorKind::usage,
                "the solver has no weights for the " + std::string(to_string(instance.kind)));
  }
  if (options.threads > kMostThreads) {
    throw Error(ErrorKind::usage, "at most " + std::to_string(kMostThreads) + " threads");
  }
  const EngineLease engine(serving(instance.kind), options.threads);
  DecodeOptions decode = engine->resolved(decode_of(options));
  const auto tell = [&](Phase phase, std::size_t done, std::size_t total) {
    if (options.progress) options.progress({phase, done, total, seconds_since(start)});
  };
  const std::size_t total = decode.samples * instance.customers();
  StepCounter counter(total, [&](std::size_t done, std::size_t) {
    if (done < total) tell(Phase::construct, done, total);
  });
  decode.counter = &counter;

  const Instance* one = &instance;
  Fallback fallback(instance, options.seed, deadline);
  auto rollouts = engine->run({&one, 1}, decode, deadline);
  const Rollout& best = best_rollout(rollouts[0]);
  Solution solution = best.solution;
  Result result;
  result.cost = best.cost;
  result.complete = best.complete;
  if (!result.complete) fallback.replace(solution, result.cost);
  result.constructed_cost = result.cost;
  result.construct_seconds = seconds_since(start);
  tell(Phase::construct, total, total);

  if (options.refine && !deadline.reached()) {
    tell(Phase::refine, 0, 1);
    (void)refine(instance, solution, deadline);
    result.cost = require_feasible(instance, solution);
    result.refine_seconds = seconds_since(start) - result.construct_seconds;
    tell(Phase::refine, 1, 1);
  }
  if (!instance.has_depot()) {
    result.tour = indices(solution.sequence);
  } else {
    for (const Route& route : to_routes(solution)) result.routes.push_back(indices(route));
  }
  return result;
}

}  // namespace eco
