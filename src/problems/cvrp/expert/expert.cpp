#include "core/expert/problem_expert.h"
#include "problems/cvrp/expert/solve_cvrp.h"

namespace eco::cvrp {

namespace {

Solution by_hgs(const Instance& instance, const ExpertOptions& options) {
  CvrpExpertOptions hgs;
  hgs.iterations = options.iterations;
  hgs.deadline = deadline_of(options);
  hgs.seed = options.seed;
  hgs.threads = options.threads;
  hgs.progress = options.progress;
  hgs.forced = options.forced;
  hgs.start = options.start;
  return solve_cvrp(instance, hgs);
}

std::uint64_t label_iterations(std::size_t customers) {
  return 200 * static_cast<std::uint64_t>(customers);  // about 0.1 s at 100 customers
}

constexpr std::array<std::string_view, 2> kTakenBy{"lkh", "hgs-bin"};
constexpr std::array kFew{0.1, 1.0}, kMany{3.0, 10.0};
constexpr std::array<ProblemExpert::BenchCase, 2> kBench{{{100, 5, kFew}, {1'000, 1, kMany}}};

}  // namespace

constinit const ProblemExpert expert{
    .own = {"hgs", "string removals, then hybrid genetic search", false, by_hgs},
    .label_iterations = label_iterations,
    .programs = kTakenBy,
    .bench = kBench,
};

}  // namespace eco::cvrp
