#include "core/expert/expert.h"

#include <array>

#include "core/base/deadline.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/expert/adapter/adapter.h"
#include "problems/cvrp/expert/solve_cvrp.h"
#include "problems/tsp/expert/ils.h"

namespace eco {

namespace {

Deadline deadline_of(const ExpertOptions& options) {
  return options.seconds > 0 ? Deadline::after(options.seconds, options.cancel)
                             : Deadline::when_cancelled(options.cancel);
}

Solution by_ils(const Instance& instance, const ExpertOptions& options) {
  IlsOptions ils;
  ils.iterations = options.iterations;
  ils.deadline = deadline_of(options);
  ils.seed = options.seed;
  ils.progress = options.progress;
  ils.forced = options.forced;
  ils.start = options.start;
  return solve_tsp(instance, ils);
}

Solution by_hgs(const Instance& instance, const ExpertOptions& options) {
  CvrpExpertOptions hgs;
  hgs.iterations = options.iterations;
  hgs.deadline = deadline_of(options);
  hgs.seed = options.seed;
  hgs.progress = options.progress;
  hgs.forced = options.forced;
  hgs.start = options.start;
  return solve_cvrp(instance, hgs);
}

template <auto solve_with>
Solution by_program(const Instance& instance, const ExpertOptions& options) {
  if (!options.forced.empty() || options.start != nullptr) {
    throw Error(
        ErrorKind::usage,
        "an external solver takes neither forced edges nor a start; the experts ils and hgs do");
  }
  SolverCall call;
  call.path = options.solver_path;
  call.seconds = options.seconds > Deadline::kLongest ? 0 : options.seconds;
  call.iterations = options.iterations;
  call.seed = options.seed;
  call.cancel = options.cancel;
  return solve_with(instance, call);
}

constexpr std::array kExperts{
    Expert{"ils", "iterated local search", true, false, false, by_ils},
    Expert{"hgs", "string removals, then hybrid genetic search", false, true, false, by_hgs},
    Expert{"lkh", "LKH-3", true, true, true, by_program<solve_with_lkh>},
    Expert{"hgs-bin", "HGS-CVRP", false, true, true, by_program<solve_with_hgs_binary>},
    Expert{"concorde", "Concorde", true, false, true, by_program<solve_with_concorde>},
};

}  // namespace

std::span<const Expert> all_experts() {
  return kExperts;
}

const Expert& expert_named(std::string_view name, ProblemKind kind) {
  std::string known = "auto";
  for (const Expert& expert : kExperts) {
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
