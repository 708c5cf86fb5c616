#include "eco/expert_options.h"

#include <optional>
#include <vector>

#include "eco/options.h"

namespace eco::cli {

namespace {

std::optional<std::string> expert_from(const std::string& name) {
  if (name == "auto") return name;
  for (const Expert& expert : all_experts()) {
    if (expert.name == name) return name;
  }
  return std::nullopt;
}

}  // namespace

void add_expert_options(CLI::App& app, ExpertChoice& choice) {
  std::vector<std::string_view> names = names_of(all_experts());
  names.insert(names.begin(), "auto");
  add_choice(app, "--expert", choice.name, expert_from, names,
             "Built in: ils (TSP), hgs (CVRP). Programs that you have installed: lkh, "
             "hgs-bin, concorde [auto: built in]");
  app.add_option("--iterations", choice.options.iterations,
                 "Budget of the expert, in its own steps [by size]")
      ->check(CLI::PositiveNumber);
  app.add_option("--solver-path", choice.options.solver_path,
                 "The program of lkh, hgs-bin or concorde [looked up on PATH]");
}

}  // namespace eco::cli
