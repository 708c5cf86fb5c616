#include "solver/plan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/expert/expert.h"
#include "core/infer/decode_keys.h"
#include "core/infer/engine.h"
#include "core/infer/step_counter.h"
#include "core/problem/problem.h"
#include "core/search/construct/construct.h"
#include "core/search/local_search.h"
#include "solver/fallback.h"

namespace eco {

// Keeps the record and passes progress on.
class PlanRecorder {
 public:
  explicit PlanRecorder(const PlanRequest& request) : request_(request) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void tell(PlanPhase phase, double share, double cost) {
    // A search tells of every little gain; half a thousandth is worth a line.
    constexpr double kWorthALine = 0.9995;
    if (cost > 0 && (record_.empty() || cost < kWorthALine * record_.back().cost)) note(cost);
    if (request_.progress) request_.progress({phase, share, cost});
  }
  void note(double cost) {
    if (record_.empty() || cost < record_.back().cost) record_.push_back({seconds(), cost});
  }
  [[nodiscard]] double cost_so_far() const { return record_.empty() ? 0 : record_.back().cost; }
  [[nodiscard]] std::vector<CostAt> take() { return std::move(record_); }

 private:
  const PlanRequest& request_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<CostAt> record_;
};

struct MadePlan {
  Solution solution;
  std::string detail;
  bool complete = true;
  std::optional<double> own_limit = std::nullopt;
};

namespace {

// Where a route takes more customers than a neighbourhood has.
bool has_long_routes(const Instance& instance) {
  constexpr double kLong = 80;
  const auto demand = std::accumulate(instance.demands.begin(), instance.demands.end(), 0.0);
  const auto full = static_cast<double>(instance.capacity) / std::max(demand, 1.0);
  return full * static_cast<double>(instance.customers()) >= kLong;
}

std::size_t threads_of(const PlanRequest& request) {
  return request.threads == 0 ? available_cores() : request.threads;
}

MadePlan by_policy(const PlanRequest& request, PlanRecorder& recorder) {
  if (request.policy == nullptr || !request.policy->usable()) {
    throw Error(ErrorKind::usage, "there are no weights for the " +
                                      std::string(to_string(request.instance.kind)) +
                                      ": name a file of them");
  }
  const EngineLease engine(*request.policy, request.threads);
  DecodeOptions decode = request.decode;
  decode.seed = request.seed;
  decode = engine->resolved(decode);
  const std::size_t total = *decode.samples * request.instance.customers();
  StepCounter counter(total, [&](std::size_t done, std::size_t) {
    recorder.tell(PlanPhase::construct, static_cast<double>(done) / static_cast<double>(total), 0);
  });
  decode.counter = &counter;
  Fallback fallback(request.instance, request.seed, request.deadline);
  const Instance* one = &request.instance;
  const auto rollouts = engine->run({&one, 1}, decode, request.deadline);
  const Rollout& best = best_rollout(rollouts[0]);
  MadePlan made{best.solution, request.policy_name + ", " + decode_text(decode), best.complete};
  double cost = best.cost;
  if (!best.complete) {
    const bool replaced = fallback.replace(made.solution, cost);
    made.detail += replaced ? ", cut short: a quick construction instead" : ", cut short";
  }
  recorder.tell(PlanPhase::construct, 1, cost);
  return made;
}

MadePlan by_expert(const PlanRequest& request, PlanRecorder& recorder) {
  const Expert& expert = expert_named(request.expert, request.instance.kind);
  ExpertOptions options;
  options.iterations = request.iterations;
  options.solver_path = request.solver_path;
  options.seed = request.seed;
  options.threads = threads_of(request);
  options.cancel = request.cancel;
  options.start = request.start;
  // An expert reads 0 as no limit; a limit that is over already still asks for a quick answer.
  constexpr double kShortest = 1e-3;
  if (request.deadline.limited()) {
    options.seconds = std::max(kShortest, request.deadline.seconds_left());
  }
  options.progress = [&](const SearchProgress& at) {
    recorder.tell(PlanPhase::search, at.share, at.cost);
  };
  return {expert.solve(request.instance, options), std::string(expert.name)};
}

// Half of the time at most. What is cut short, or not far better than what the expert has by
// itself, is nothing to begin with.
std::optional<MadePlan> first_plan(const PlanRequest& request, PlanRecorder& recorder) {
  if (!begins_with_policy(request)) return std::nullopt;
  PlanRequest first = request;
  if (request.beginning != Beginning::policy) {
    first.deadline = Deadline::after(request.deadline.seconds_left() / 2, request.cancel);
  }
  MadePlan made = by_policy(first, recorder);
  constexpr double kFarBetter = 0.97;
  if (request.beginning == Beginning::policy) return made;
  if (!made.complete) return std::nullopt;
  const Construction own =
      construct(request.instance, ConstructMethod::savings, request.seed, request.deadline);
  const double mine = cost(request.instance, made.solution);
  if (mine > kFarBetter * cost(request.instance, own.solution)) return std::nullopt;
  return made;
}

MadePlan by_auto(const PlanRequest& request, PlanRecorder& recorder) {
  PlanRequest search = request;
  std::optional<double> own_limit;
  if (!request.deadline.limited() && request.iterations == 0) {
    own_limit = own_time_limit(request.instance);
    search.deadline = Deadline::after(*own_limit, request.cancel);
  }
  const std::optional<MadePlan> first = first_plan(search, recorder);
  if (first) search.start = &first->solution;
  MadePlan made = by_expert(search, recorder);
  if (first) made.detail = first->detail + ", then " + made.detail;
  made.own_limit = own_limit;
  return made;
}

template <ConstructMethod method>
MadePlan by_construction(const PlanRequest& request, PlanRecorder&) {
  Construction made = construct(request.instance, method, request.seed, request.deadline);
  return {std::move(made.solution), made.complete ? "" : "cut short: a quick construction instead",
          made.complete};
}

constexpr std::array kMethods{
    Method{"auto", "the best plan in the time there is, on all cores", by_auto},
    Method{"policy", "construction by a trained policy, by --weights and --decode", by_policy},
    Method{"expert", "a search by --expert", by_expert},
    Method{"nn", "nearest neighbour", by_construction<ConstructMethod::nearest_neighbour>},
    Method{"insertion", "farthest insertion", by_construction<ConstructMethod::farthest_insertion>},
    Method{"random-insertion", "insertion in random order",
           by_construction<ConstructMethod::random_insertion>},
    Method{"savings", "Clarke and Wright", by_construction<ConstructMethod::savings>},
};

const Method& method_named(std::string_view name) {
  std::string known;
  for (const Method& method : kMethods) {
    if (method.name == name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  throw Error(ErrorKind::usage, "found method " + quoted(name) + ", expected one of " + known);
}

}  // namespace

std::span<const Method> all_methods() {
  return kMethods;
}

bool begins_with_policy(const PlanRequest& request) {
  constexpr std::size_t kCustomers = 4000;
  constexpr double kSecondsPerNode = 1.5e-3;  // three times what the policy takes
  const Instance& instance = request.instance;
  if (request.start != nullptr || request.policy == nullptr || !request.policy->usable() ||
      !instance.has_points() || instance.metric == Metric::matrix) {
    return false;
  }
  if (request.beginning != Beginning::by_size) return request.beginning == Beginning::policy;
  const double wanted = kSecondsPerNode * static_cast<double>(instance.size()) /
                        static_cast<double>(threads_of(request));
  return instance.has_depot() && instance.customers() >= kCustomers && has_long_routes(instance) &&
         request.deadline.limited() && request.deadline.seconds_left() >= wanted;
}

double own_time_limit(const Instance& instance) {
  constexpr double kSecondsPerNode = 0.01, kLeast = 0.1, kMost = 30;
  return std::clamp(kSecondsPerNode * static_cast<double>(instance.size()), kLeast, kMost);
}

Plan make_plan(const PlanRequest& request) {
  const Method& method = method_named(request.method);
  PlanRecorder recorder(request);
  MadePlan made = method.run(request, recorder);
  Plan plan;
  plan.detail = std::move(made.detail);
  plan.complete = made.complete;
  plan.own_limit = made.own_limit;
  plan.made_cost = require_feasible(request.instance, made.solution);
  plan.made_seconds = recorder.seconds();
  recorder.note(plan.made_cost);
  if (request.refine && !request.deadline.reached()) {
    recorder.tell(PlanPhase::refine, 0, plan.made_cost);
    (void)refine(request.instance, made.solution, request.deadline);
    const double cost = require_feasible(request.instance, made.solution);
    plan.refine_seconds = recorder.seconds() - plan.made_seconds;
    recorder.note(cost);
    recorder.tell(PlanPhase::refine, 1, cost);
  }
  plan.checked = check(request.instance, made.solution);
  plan.solution = std::move(made.solution);
  plan.record = recorder.take();
  return plan;
}

Finished finish(const Instance& instance, std::span<const Rollout> rollouts, bool refine,
                const Deadline& deadline) {
  const Rollout& best = best_rollout(rollouts);
  Finished finished{best.solution, {}, best.cost};
  if (refine) (void)eco::refine(instance, finished.solution, deadline);
  (void)require_feasible(instance, finished.solution);
  finished.checked = check(instance, finished.solution);
  return finished;
}

}  // namespace eco
