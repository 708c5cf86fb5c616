#include "core/expert/adapter/problem_file.h"
#include "core/expert/adapter/solver_run.h"

namespace eco {

namespace {

constexpr SolverDialect kConcordeDialect{.ceil_2d = true, .att = true, .geo = true, .matrix = true};

// The number of nodes, then the nodes of the tour, counted from 0.
Solution parse_concorde_answer(const Instance& instance, const SolverRun& run,
                               const std::string& text) {
  const auto words = words_of(text);
  if (words.empty()) throw run.failure("wrote an empty solution");
  if (whole_number(words[0]) != instance.size()) {
    throw run.failure("wrote " + quoted(words[0]) + " as the number of nodes, expected " +
                      std::to_string(instance.size()));
  }
  Solution solution;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto number = whole_number(words[i]);
    if (!number) throw run.failure("wrote " + quoted(words[i]) + " as a node number");
    solution.sequence.emplace_back(*number);
  }
  return solution;
}

}  // namespace

Solution solve_with_concorde(const Instance& instance, const SolverCall& call) {
  if (instance.has_depot() || !instance.problem().closed) {
    throw Error(ErrorKind::usage, "Concorde solves TSP instances only");
  }
  SolverRun run("Concorde", {"concorde"}, call);
  if (auto trivial = trivial_solution(instance)) return *trivial;
  run.write("problem.tsp", problem_file(instance, kConcordeDialect).text);
  run.run({"-s", std::to_string(call.seed % 2'000'000'000 + 1), "-x", "-o", "answer.sol",
           "problem.tsp"},
          false);
  return run.checked(instance, parse_concorde_answer(instance, run, run.read("answer.sol")));
}

}  // namespace eco
