#include "report/table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <utility>

namespace eco {

namespace {

// Characters on the screen: bytes that do not continue a UTF-8 sequence.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6U) != 2; }));
}

bool looks_numeric(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("0123456789.,+-%xe/ ") == std::string::npos;
}

}  // namespace

Table::Table(std::vector<std::string> header) {
  rows_.push_back(std::move(header));
}

void Table::add_row(std::vector<std::string> cells) {
  assert(cells.size() <= rows_[0].size());
  cells.resize(rows_[0].size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  const std::size_t columns = rows_[0].size();
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> right(columns, rows_.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string& cell = rows_[r][c];
      widths[c] = std::max(widths[c], width_of(cell));
      if (r > 0 && !cell.empty() && !looks_numeric(cell)) right[c] = false;
    }
  }
  std::string out;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string padding(widths[c] - width_of(cells[c]), ' ');
      if (c > 0) line += "  ";
      line += right[c] ? padding + cells[c] : cells[c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add_line(rows_[0]);
  std::vector<std::string> rule;
  rule.reserve(columns);
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  add_line(rule);
  for (std::size_t r = 1; r < rows_.size(); ++r) add_line(rows_[r]);
  return out;
}

std::string decimal(double value, int digits) {
  std::array<char, 400> buffer;  // the largest double has 309 digits before the point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, digits);
  return error == std::errc() ? std::string(buffer.data(), end) : "?";
}

}  // namespace eco
