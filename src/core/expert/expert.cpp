#include "core/expert/expert.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/expert/adapter/adapter.h"
#include "core/expert/problem_expert.h"

namespace eco {

namespace {

template <auto solve_with>
Solution by_program(const Instance& instance, const ExpertOptions& options) {
  if (!options.forced.empty() || options.start != nullptr) {
    throw Error(
        ErrorKind::usage,
        "an external solver takes neither forced edges nor a start; the built-in experts do");
  }
  SolverCall call;
  call.path = options.solver_path;
  call.seconds = options.seconds > Deadline::kLongest ? 0 : options.seconds;
  call.iterations = options.iterations;
  call.seed = options.seed;
  call.cancel = options.cancel;
  return solve_with(instance, call);
}

constexpr std::array kPrograms{
    Expert{"lkh", "LKH-3", true, by_program<solve_with_lkh>},
    Expert{"hgs-bin", "HGS-CVRP", true, by_program<solve_with_hgs_binary>},
    Expert{"concorde", "Concorde", true, by_program<solve_with_concorde>},
};

}  // namespace

Deadline deadline_of(const ExpertOptions& options) {
  return options.seconds > 0 ? Deadline::after(options.seconds, options.cancel)
                             : Deadline::when_cancelled(options.cancel);
}

bool Expert::solves(ProblemKind kind) const {
  const ProblemExpert& problem = expert_of(kind);
  return name == problem.own.name || std::find(problem.programs.begin(), problem.programs.end(),
                                               name) != problem.programs.end();
}

std::span<const Expert> all_experts() {
  static const std::vector<Expert> all = [] {
    std::vector<Expert> experts;
    experts.reserve(std::size(kProblems) + kPrograms.size());
    for (const ProblemKind kind : kProblems) experts.push_back(expert_of(kind).own);
    experts.insert(experts.end(), kPrograms.begin(), kPrograms.end());
    return experts;
  }();
  return all;
}

const Expert& expert_named(std::string_view name, ProblemKind kind) {
  std::string known = "auto";
  for (const Expert& expert : all_experts()) {
    if (name == "auto" && !expert.external && expert.solves(kind)) return expert;
    known += ", " + std::string(expert.name);
    if (name != expert.name) continue;
    if (expert.solves(kind)) return expert;
    throw Error(ErrorKind::usage, "the expert " + std::string(name) + " does not solve the " +
                                      std::string(to_string(kind)));
  }
  throw Error(ErrorKind::usage, "found expert " + quoted(name) + ", expected one of " + known);
}

std::uint64_t instance_seed(std::uint64_t seed, std::uint64_t index) {
  // Streams apart from those of the generator, which counts instances of the same seed.
  constexpr std::uint64_t kExpertStreams = 0x6c6162656c000000U;
  return Rng(seed ^ kExpertStreams, index).next_u64();
}

}  // namespace eco
