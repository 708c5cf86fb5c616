#pragma once
// One door to all label makers, ours and those of others. An expert is a name and a function; which
// ones solve a problem, the problem says (problem_expert.h).
//
// Ours run by a budget of iterations unless seconds are given; then the result is a function of
// (instance, options) alone. With seconds it depends on the machine.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/deadline.h"
#include "core/expert/progress.h"
#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco {

struct ExpertOptions {
  double seconds = 0;  // per instance; 0: no limit
  std::size_t iterations =
      0;  // of all threads; 0: with `seconds` no limit, without it the expert's own default
  std::uint64_t seed = 1234;
  std::string solver_path;  // of an external solver; empty: looked up on PATH
  std::stop_token cancel;   // ours return the best so far; external ones throw (interrupted)
  std::size_t threads = 1;  // of ours, at least 1; the result depends on it
  TellProgress progress;    // of ours
  // Edges that the solution must have, and a solution with them to begin with, which is never made
  // longer (nullptr: none); external solvers refuse both.
  std::span<const Edge> forced;
  const Solution* start = nullptr;
};

struct Expert {
  std::string_view name;
  std::string_view summary;
  bool external;  // needs a program that the user has installed
  // Feasible always. Throws eco::Error if an external solver fails, or for forced edges or a start
  // that it cannot use.
  Solution (*solve)(const Instance& instance, const ExpertOptions& options);

  [[nodiscard]] bool solves(ProblemKind kind) const;
};

// When the options' limit in seconds is over, or the cancellation comes.
[[nodiscard]] Deadline deadline_of(const ExpertOptions& options);

[[nodiscard]] std::span<const Expert> all_experts();

// "auto" is our own expert for the problem. Throws eco::Error (usage) for a name that does not
// exist or an expert that does not solve the problem.
[[nodiscard]] const Expert& expert_named(std::string_view name, ProblemKind kind);

// A seed for instance `index` of a job, so that its solution does not depend on what else is
// solved, where and when.
[[nodiscard]] std::uint64_t instance_seed(std::uint64_t seed, std::uint64_t index);

}  // namespace eco
