#include "report/recorded_costs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace eco {

namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::size_t column_of(const std::vector<std::string_view>& header, std::string_view name,
                      const Location& where) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    throw input_error(where, "no column '" + std::string(name) + "'",
                      "the columns file, index and cost");
  }
  return static_cast<std::size_t>(found - header.begin());
}

template <class Number>
Number number_in(std::string_view cell, const Location& where, std::string_view expected) {
  Number value{};
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    throw input_error(where, quoted(cell), expected);
  }
  return value;
}

}  // namespace

std::map<std::size_t, double> read_recorded_costs(const std::string& csv_path,
                                                  const std::string& file) {
  std::ifstream in(csv_path);
  if (!in) throw input_error({csv_path, 0}, "cannot be opened");
  Location where{csv_path, 1};
  std::string line;
  std::getline(in, line);
  const auto header = cells_of(line);
  const bool best_known = std::find(header.begin(), header.end(), "bks") != header.end();
  const std::size_t file_column = column_of(header, best_known ? "name" : "file", where);
  const std::size_t index_column = best_known ? 0 : column_of(header, "index", where);
  const std::size_t cost_column = column_of(header, best_known ? "bks" : "cost", where);
  const std::size_t columns = header.size();
  const std::filesystem::path path(file);
  const std::string wanted = (best_known ? path.stem() : path.filename()).string();

  std::map<std::size_t, double> costs;
  while (std::getline(in, line)) {
    ++where.line;
    if (line.empty() || line == "\r") continue;
    const auto cells = cells_of(line);
    if (cells.size() != columns) {
      throw input_error(where, std::to_string(cells.size()) + " columns", std::to_string(columns));
    }
    if (cells[file_column] != wanted) continue;
    const auto index =
        best_known ? 0 : number_in<std::size_t>(cells[index_column], where, "an index from 0");
    const auto cost = number_in<double>(cells[cost_column], where, "a cost");
    if (!std::isfinite(cost)) throw input_error(where, quoted(cells[cost_column]), "a finite cost");
    if (!costs.emplace(index, cost).second) {
      throw input_error(where, "index " + std::to_string(index) + " again", "each index once");
    }
  }
  if (costs.empty()) throw input_error({csv_path, 0}, "has no row about " + quoted(wanted));
  return costs;
}

}  // namespace eco
