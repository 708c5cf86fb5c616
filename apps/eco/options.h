#pragma once
// Building blocks for the options of verbs.

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// "tsp" or "cvrp".
[[nodiscard]] std::optional<ProblemKind> problem_from(std::string_view name);

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

}  // namespace eco::cli
