#include "eco/expert_options.h"

#include <optional>
#include <vector>

#include "core/base/error.h"
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

std::vector<CLI::Option*> add_expert_options(CLI::App& app, ExpertChoice& choice) {
  std::vector<std::string_view> names = names_of(all_experts());
  names.insert(names.begin(), "auto");
  CLI::Option* name = add_choice(
      app, "--expert", choice.name, expert_from, names,
      "Built in: ils (TSP), hgs (CVRP). Programs that you have installed: lkh, hgs-bin, concorde "
      "[auto: built in]");
  CLI::Option* iterations =
      add_count(app, "--iterations", choice.options.iterations, {1, kMostSteps},
                "Budget of the expert, in its own steps [by size]")
          ->default_str("");
  CLI::Option* path = app.add_option("--solver-path", choice.options.solver_path,
                                     "The program of lkh, hgs-bin or concorde [looked up on PATH]")
                          ->type_name("FILE");
  return {name, iterations, path};
}

void ExpertChoice::check() const {
  if (options.solver_path.empty()) return;
  for (const Expert& expert : all_experts()) {
    if (expert.external && expert.name == name) return;
  }
  throw Error(ErrorKind::usage,
              "--solver-path is for an installed program (--expert lkh, hgs-bin or concorde), not "
              "for --expert " +
                  name);
}

}  // namespace eco::cli
