#include "core/expert/problem_expert.h"
#include "problems/tsp/expert/ils.h"

namespace eco::tsp {

namespace {

Solution by_ils(const Instance& instance, const ExpertOptions& options) {
  IlsOptions ils;
  ils.iterations = options.iterations;
  ils.deadline = deadline_of(options);
  ils.seed = options.seed;
  ils.threads = options.threads;
  ils.progress = options.progress;
  ils.forced = options.forced;
  ils.start = options.start;
  return solve_tsp(instance, ils);
}

constexpr std::array<std::string_view, 2> kTakenBy{"lkh", "concorde"};
constexpr std::array kFew{0.005, 0.05};
constexpr std::array kMany{0.3, 1.0, 3.0};
constexpr std::array<ProblemExpert::BenchCase, 2> kBench{{{100, 20, kFew}, {1'000, 2, kMany}}};

}  // namespace

constinit const ProblemExpert expert{
    .own = {"ils", "iterated local search", false, by_ils},
    .label_iterations = default_ils_iterations,
    .programs = kTakenBy,
    .bench = kBench,
};

}  // namespace eco::tsp
