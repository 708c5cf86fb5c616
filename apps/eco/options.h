#pragma once
// Building blocks for the options of verbs.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/instance/instance.h"
#include "eco/verb.h"

namespace eco::cli {

// The `name`s of a table, for add_choice.
template <class Entry>
std::vector<std::string_view> names_of(std::span<const Entry> table) {
  std::vector<std::string_view> names;
  names.reserve(table.size());
  for (const Entry& entry : table) names.push_back(entry.name);
  return names;
}

void add_common_options(CLI::App& app, CommonOptions& common);

// The names of all problems.
[[nodiscard]] std::vector<std::string_view> problem_choices();

// "found 'unifrom', expected one of uniform, clustered. Did you mean 'uniform'?"
[[nodiscard]] std::string not_a_choice(std::string_view found,
                                       std::span<const std::string_view> choices);

// An option that takes one of a few names. `parse` turns a name into an optional value. The names
// are the type shown in the help (a|b|c), from where shell completion takes them too.
template <class Target, class Parse>
CLI::Option* add_choice(CLI::App& app, const std::string& flags, Target& target, Parse parse,
                        const std::vector<std::string_view>& choices,
                        const std::string& description) {
  std::string type;
  for (const std::string_view choice : choices) {
    if (!type.empty()) type += '|';
    type += choice;
  }
  return app
      .add_option_function<std::string>(
          flags,
          [&target, parse, flags, names = choices](const std::string& name) {
            const auto value = parse(name);
            if (!value) throw CLI::ValidationError(flags, not_a_choice(name, names));
            target = *value;
          },
          description)
      ->type_name(type);
}

// The values that an option takes; both ends belong to them.
struct CountRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};
struct NumberRange {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool low_itself = true;  // false: only values above `low`
};
// Counts of steps or instances end here: beyond it nobody lives to see the result.
inline constexpr std::uint64_t kMostSteps = 1'000'000'000'000'000;

// Decimal digits and nothing else. Both throw CLI::ValidationError with what was found and what was
// expected; CLI11's own conversions take -1 for a huge number, 010 for 8 and nan for a number.
[[nodiscard]] std::uint64_t parse_count(const std::string& flags, const std::string& text,
                                        const CountRange& range);
[[nodiscard]] double parse_real(const std::string& flags, const std::string& text,
                                const NumberRange& range);

template <class T>
struct Plain {
  using Type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using Type = T;
};

// Options that take a whole number (shown as N in the help) or any number (shown as X). A default
// is shown unless the target is optional.
template <class Target>
CLI::Option* add_count(CLI::App& app, const std::string& flags, Target& target,
                       const CountRange& range, const std::string& description) {
  CLI::Option* option = app.add_option_function<std::string>(
      flags,
      [&target, flags, range](const std::string& text) {
        target = static_cast<typename Plain<Target>::Type>(parse_count(flags, text, range));
      },
      description);
  if constexpr (std::is_arithmetic_v<Target>) option->default_str(std::to_string(target));
  return option->type_name("N");
}
template <class Target>
CLI::Option* add_number(CLI::App& app, const std::string& flags, Target& target,
                        const NumberRange& range, const std::string& description) {
  return app
      .add_option_function<std::string>(
          flags,
          [&target, flags, range](const std::string& text) {
            target = parse_real(flags, text, range);
          },
          description)
      ->type_name("X");
}
// A limit of time: above 0; what is too long for a clock, or inf, is no limit.
template <class Target>
CLI::Option* add_seconds(CLI::App& app, const std::string& flags, Target& target,
                         const std::string& description) {
  NumberRange above_zero;
  above_zero.low_itself = false;
  return add_number(app, flags, target, above_zero, description)->type_name("SECONDS");
}

}  // namespace eco::cli
