#include "core/expert/adapter/problem_file.h"
#include "core/expert/adapter/solver_run.h"

namespace eco {

namespace {

// HGS-CVRP tunes its penalties for distances of the size of the X instances.
constexpr SolverDialect kHgsDialect{.exact_side = 1000};

// Lines "Route #k: customer customer ...", customers counted from 1, then "Cost c".
Solution parse_hgs_answer(const SolverRun& run, const std::string& text) {
  Routes routes;
  bool cost_seen = false;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "Cost") {
      cost_seen = true;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (words[0] != "Route" || colon == std::string_view::npos) {
      throw run.failure("wrote " + quoted(line) + ", expected a route or the cost");
    }
    Route route;
    for (const std::string_view word : words_of(line.substr(colon + 1))) {
      const auto number = whole_number(word);
      if (!number || *number == 0) {
        throw run.failure("wrote " + quoted(word) + " as a customer number");
      }
      route.emplace_back(*number);
    }
    if (!route.empty()) routes.push_back(std::move(route));
  }
  if (!cost_seen) throw run.failure("wrote a solution without its cost: it is cut off");
  return from_routes(routes);
}

}  // namespace

Solution solve_with_hgs_binary(const Instance& instance, const SolverCall& call) {
  if (!instance.has_depot()) {
    throw Error(ErrorKind::usage, "HGS-CVRP solves CVRP instances only");
  }
  SolverRun run("HGS-CVRP", {"hgs", "hgs-cvrp", "HGS-CVRP"}, call);
  if (auto trivial = trivial_solution(instance)) return *trivial;
  run.write("problem.vrp", problem_file(instance, kHgsDialect).text);
  std::vector<std::string> arguments{"problem.vrp", "answer.sol"};
  const auto option = [&](const std::string& name, const std::string& value) {
    arguments.push_back(name);
    arguments.push_back(value);
  };
  option("-seed", std::to_string(call.seed % 2'000'000'000));
  option("-round", instance.rounding == Rounding::nint ? "1" : "0");
  if (call.iterations > 0) option("-it", std::to_string(call.iterations));
  if (call.seconds > 0) option("-t", std::to_string(call.seconds));
  run.run(arguments, true);
  return run.checked(instance, parse_hgs_answer(run, run.read("answer.sol")));
}

}  // namespace eco
