#include "eco/options.h"

#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
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

template <class Number>
bool is_number(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc{} && stop == end;
}

[[noreturn]] void refuse_value(const std::string& flags, const std::string& text,
                               const std::string& expected) {
  throw CLI::ValidationError(flags, "found " + eco::quoted(text) + ", expected " + expected);
}

}  // namespace

std::uint64_t parse_count(const std::string& flags, const std::string& text,
                          const CountRange& range) {
  std::uint64_t value = 0;
  if (is_number(text, value) && value >= range.low && value <= range.high) return value;
  const bool open = range.high == CountRange{}.high;
  refuse_value(
      flags, text,
      fmt::format("a whole number {}", open ? fmt::format("from {} on", range.low)
                                            : fmt::format("from {} to {}", range.low, range.high)));
}

double parse_real(const std::string& flags, const std::string& text, const NumberRange& range) {
  double value = 0;
  const bool good = is_number(text, value) && value <= range.high &&
                    (range.low_itself ? value >= range.low : value > range.low);
  if (good) return value;
  std::string expected =
      fmt::format("a number {} {}", range.low_itself ? "from" : "above", range.low);
  if (std::isfinite(range.high)) {
    expected += fmt::format("{} to {}", range.low_itself ? "" : " up", range.high);
  } else if (range.low_itself) {
    expected += " on";
  }
  refuse_value(flags, text, expected);
}

std::vector<std::string_view> problem_choices() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kProblems));
  for (const ProblemKind kind : kProblems) names.push_back(to_string(kind));
  return names;
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
  group(add_count(app, "--seed", common.seed, {}, "Seed of everything random"));
  group(add_count(app, "--threads", common.threads, {0, kMostThreads},
                  "Worker threads; 0 is one per core"));
  group(app.add_flag("--json", common.json, "Print the result as JSON"));
  group(app.add_flag("--quiet", common.quiet, "Only errors on stderr"));
  group(app.add_flag("--progress", common.progress,
                     "Show progress even if stderr is not a terminal"));
  group(add_choice(app, "--log-level", common.log_level, log_level_from,
                   {"error", "warn", "info", "debug"}, "How much to say on stderr"));
}

}  // namespace eco::cli
