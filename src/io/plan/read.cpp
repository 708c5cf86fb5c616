#include "io/plan/read.h"

#include <algorithm>
#include <unordered_map>

#include "io/csv/rows.h"
#include "io/node_ids.h"
#include "io/reference.h"
#include "io/scanner.h"

namespace eco::io {

namespace {

struct PlanColumns {
  std::size_t route, id;
};

std::optional<PlanColumns> plan_columns(const std::vector<std::string>& names) {
  const auto find = [&](std::string_view word) {
    return static_cast<std::size_t>(
        std::find_if(names.begin(), names.end(),
                     [&](const std::string& name) { return same_word(name, word); }) -
        names.begin());
  };
  const PlanColumns columns{find("route"), find("id")};
  if (std::max(columns.route, columns.id) >= names.size()) return std::nullopt;
  return columns;
}

// Spreadsheets save a table of commas with other separators, depending on the country.
char plan_separator(std::string_view line) {
  for (const char c : line) {
    if (c == ';' || c == '\t' || c == ',') return c;
  }
  return ',';
}

}  // namespace

bool is_plan_header(std::string_view line) {
  const char separator = plan_separator(line);
  std::vector<std::string> names;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(separator), line.size());
    names.emplace_back(trimmed(line.substr(0, end)));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return plan_columns(names).has_value();
}

Solution read_plan_csv(TextInput& input, const Instance& instance) {
  const auto first = input.line();
  const char separator = plan_separator(first.value_or(""));
  if (first) input.unread();
  CsvRows rows(input, separator);
  const auto header = rows.next();
  const auto columns = header ? plan_columns(*header) : std::nullopt;
  if (!columns) throw input_error(rows.where(), "no plan", "the columns route and id");
  const IdIndex index(instance);
  Routes routes;
  std::unordered_map<std::string, std::size_t> route_of;  // by what the table calls it
  while (const auto row = rows.next()) {
    const auto field = [&](std::size_t column) {
      return column < row->size() ? (*row)[column] : std::string();
    };
    const auto wrong = [&](std::size_t column, std::string_view expected) {
      return input_error(rows.where(),
                         (field(column).empty() ? "an empty field" : quoted(field(column))) +
                             " in column " + std::to_string(column + 1) + " (" +
                             (column == columns->id ? "id" : "route") + ")",
                         expected);
    };
    if (field(columns->route).empty()) throw wrong(columns->route, "the number of a route");
    const auto node = index.find(field(columns->id));
    if (!node) throw wrong(columns->id, "the id of a node of the instance");
    const auto [place, added] = route_of.emplace(field(columns->route), routes.size());
    if (added) routes.emplace_back();
    if (!instance.has_depot() || *node != 0) routes[place->second].emplace_back(*node);
  }
  if (routes.empty()) throw input_error({input.name(), 0}, "no rows below the header", "a plan");
  if (instance.has_depot()) return from_routes(routes);
  if (routes.size() > 1) {
    throw input_error({input.name(), 0}, std::to_string(routes.size()) + " routes", "one tour");
  }
  Solution tour{std::move(routes.front())};
  if (instance.problem().closed) open_tour(tour);
  return tour;
}

}  // namespace eco::io
