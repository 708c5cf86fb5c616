#include <array>

#include "core/expert/problem_expert.h"
#include "problems/path/expert/solve_path.h"
#include "problems/tsp/expert/ils.h"

namespace eco::path {

namespace {

constexpr std::array kFew{0.005, 0.05};
constexpr std::array kMany{0.3, 1.0, 3.0};
constexpr std::array<ProblemExpert::BenchCase, 2> kBench{{{100, 20, kFew}, {1'000, 2, kMany}}};

}  // namespace

constinit const ProblemExpert expert{
    .own = {"ils-path", "iterated local search, the ends of a tour apart", false, solve_open_path},
    .label_iterations = default_ils_iterations,
    .programs = {},
    .bench = kBench,
};

}  // namespace eco::path
