#include <algorithm>
#include <numeric>

#include "core/expert/adapter/problem_file.h"
#include "core/expert/adapter/solver_run.h"

namespace eco {

namespace {

constexpr SolverDialect kLkhDialect{
    .ceil_2d = true, .floor_2d = true, .att = true, .geo = true, .matrix = true};

// LKH-3 gives each vehicle its copy of the depot and allows empty routes when told so. A few more
// vehicles than the demand needs, since the tightest number may not be feasible or not be best.
std::size_t vehicles_for(const Instance& instance) {
  const auto demand =
      std::accumulate(instance.demands.begin(), instance.demands.end(), std::int64_t{0});
  const auto fewest =
      static_cast<std::size_t>((demand + instance.capacity - 1) / instance.capacity);
  return std::clamp<std::size_t>(fewest + fewest / 8 + 2, 1, instance.customers());
}

std::string parameters(const Instance& instance, const SolverCall& call, double longest) {
  // Internal costs are PRECISION times the distance, in 32 bits, half of which we leave free.
  const auto precision = static_cast<int>(std::clamp(1e9 / longest, 1.0, 100.0));
  std::string text = "PROBLEM_FILE = problem.tsp\nOUTPUT_TOUR_FILE = answer.tour\nRUNS = 1\n";
  text += "PRECISION = " + std::to_string(precision) + "\n";
  text += "SEED = " + std::to_string(call.seed % 2'000'000'000 + 1) + "\n";
  text += "TRACE_LEVEL = 0\n";
  if (call.iterations > 0) text += "MAX_TRIALS = " + std::to_string(call.iterations) + "\n";
  if (call.seconds > 0) text += "TIME_LIMIT = " + std::to_string(call.seconds) + "\n";
  if (instance.has_depot()) {
    text += "SPECIAL\nMTSP_MIN_SIZE = 0\n";
    text += "VEHICLES = " + std::to_string(vehicles_for(instance)) + "\n";
  }
  return text + "EOF\n";
}

// TOUR_SECTION of a TSPLIB tour. A depot is node 1 and every number past the dimension.
Solution parse_lkh_answer(const Instance& instance, const SolverRun& run, const std::string& text) {
  const auto words = words_of(text);
  auto word = std::find(words.begin(), words.end(), "TOUR_SECTION");
  if (word == words.end()) throw run.failure("wrote a tour file without TOUR_SECTION");
  const bool depot = instance.has_depot();
  Solution solution;
  for (++word;; ++word) {
    if (word == words.end()) throw run.failure("wrote a tour file that ends within the tour");
    if (*word == "-1") break;
    const auto number = whole_number(*word);
    if (!number || *number == 0) throw run.failure("wrote " + quoted(*word) + " as a node number");
    const bool depot_copy = depot && *number > instance.size();
    solution.sequence.emplace_back(depot_copy ? 0 : *number - 1);
  }
  // Through routes: it opens at the depot, may have empty routes, and closes at the depot.
  return depot ? from_routes(to_routes(solution)) : solution;
}

}  // namespace

Solution solve_with_lkh(const Instance& instance, const SolverCall& call) {
  SolverRun run("LKH-3", {"LKH", "LKH-3", "lkh"}, call);
  if (auto trivial = trivial_solution(instance)) return *trivial;
  const ProblemFile problem = problem_file(instance, kLkhDialect);
  run.write("problem.tsp", problem.text);
  run.write("run.par", parameters(instance, call, problem.longest));
  run.run({"run.par"}, true);
  return run.checked(instance, parse_lkh_answer(instance, run, run.read("answer.tour")));
}

}  // namespace eco
