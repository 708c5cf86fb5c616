#include "eco/options.h"

#include "eco/suggest.h"

namespace eco::cli {

namespace {

std::optional<LogLevel> log_level_from(std::string_view name) {
  if (name == "error") return LogLevel::error;
  if (name == "warn") return LogLevel::warn;
  if (name == "info") return LogLevel::info;
  if (name == "debug") return LogLevel::debug;
  return std::nullopt;
}

}  // namespace

std::optional<ProblemKind> problem_from(std::string_view name) {
  if (name == "tsp") return ProblemKind::tsp;
  if (name == "cvrp") return ProblemKind::cvrp;
  return std::nullopt;
}

std::string not_a_choice(std::string_view found, std::span<const std::string_view> choices) {
  std::string message = "found '" + std::string(found) + "', expected ";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) message += i + 1 == choices.size() ? " or " : ", ";
    message += choices[i];
  }
  return message + did_you_mean(found, choices);
}

void add_common_options(CLI::App& app, CommonOptions& common) {
  const auto group = [](CLI::Option* option) { option->group("Common options"); };
  group(app.add_option("--seed", common.seed, "Seed of everything random")
            ->check(CLI::NonNegativeNumber)
            ->capture_default_str());
  group(app.add_option("--threads", common.threads, "Worker threads; 0 is one per core")
            ->check(CLI::Range(0, 4096))
            ->capture_default_str());
  group(app.add_flag("--json", common.json, "Print the result as JSON"));
  group(app.add_flag("--quiet", common.quiet, "Only errors on stderr"));
  group(app.add_flag("--progress", common.progress,
                     "Show progress even if stderr is not a terminal"));
  group(add_choice(app, "--log-level", common.log_level, log_level_from,
                   {"error", "warn", "info", "debug"}, "How much to say on stderr"));
}

}  // namespace eco::cli
