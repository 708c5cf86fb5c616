#pragma once
// One instance, one plan that has passed the checker. All that solves one instance stands on it:
// eco::Solver, `eco solve`, `eco bench solve`.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/deadline.h"
#include "core/infer/decode.h"
#include "core/instance/instance.h"
#include "core/problem/check.h"
#include "solver/engine_pool.h"

namespace eco {

enum class PlanPhase : std::uint8_t { construct, search, refine };

struct PlanProgress {
  PlanPhase phase;
  double share;  // of the phase, 0 to 1
  double cost;   // of the best plan so far; 0 before there is one
};

// With what `auto` begins.
enum class Beginning : std::uint8_t { by_size, policy, own };

struct PlanRequest {
  explicit PlanRequest(const Instance& asked) : instance(asked) {}

  const Instance& instance;
  std::string_view method = "auto";
  // When it is reached, the best so far is returned. `cancel` is the part of it that somebody asks
  // for.
  Deadline deadline;
  std::stop_token cancel;
  std::uint64_t seed = 1234;
  std::size_t threads = 0;  // 0: one for each core

  EnginePool* policy = nullptr;  // of the instance's problem; none: there are no weights
  std::string policy_name;       // for the detail of the result
  DecodeOptions decode;

  std::string expert = "auto";
  std::size_t iterations = 0;  // of the expert, of all threads; 0: by time, or by size
  std::string solver_path;

  const Solution* start = nullptr;  // for the expert, which never makes it longer
  Beginning beginning = Beginning::by_size;
  bool refine = false;
  // Called by one thread at a time. What it throws ends the call.
  std::function<void(const PlanProgress&)> progress;
};

struct CostAt {
  double seconds;  // since the beginning
  double cost;     // of the best plan then
};

struct Plan {
  Solution solution;
  CheckResult checked;   // feasible, or lacking vehicles only
  std::string detail;    // which weights, which expert
  double made_cost = 0;  // before refinement
  double made_seconds = 0, refine_seconds = 0;
  bool complete = true;             // false: a construction was cut short
  std::optional<double> own_limit;  // seconds: what `auto` allowed itself where nobody else did
  std::vector<CostAt> record;       // falling costs; the last is the plan's own
};

struct MadePlan;
class PlanRecorder;

struct Method {
  std::string_view name, summary;
  MadePlan (*run)(const PlanRequest& request, PlanRecorder& recorder);
};
// "auto" first.
[[nodiscard]] std::span<const Method> all_methods();

// Throws eco::Error: usage for a method that does not exist, fit the problem or have its weights.
[[nodiscard]] Plan make_plan(const PlanRequest& request);

// Whether `auto` does. Measured (docs/solve.md): on large CVRPs with long routes the policy's plan,
// with the time that it takes, leads our expert to more than its own start does, and nowhere else.
[[nodiscard]] bool begins_with_policy(const PlanRequest& request);

// What `auto` takes if nobody says how long: a second for every hundred nodes, at most half a
// minute.
[[nodiscard]] double own_time_limit(const Instance& instance);

// The cheapest of a policy's rollouts, and the local optimum next to it if that is wanted.
struct Finished {
  Solution solution;
  CheckResult checked;
  double made_cost = 0;  // before refinement
};
[[nodiscard]] Finished finish(const Instance& instance, std::span<const Rollout> rollouts,
                              bool refine, const Deadline& deadline = {});

}  // namespace eco
