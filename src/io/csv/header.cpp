#include "io/csv/header.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "io/csv/rows.h"
#include "io/scanner.h"

namespace eco::io {

namespace {

using Column = std::optional<std::size_t> CsvHeader::*;

struct ColumnName {
  std::string_view name;
  Column column;
};

constexpr std::array<ColumnName, 24> kColumnNames{{
    {"id", &CsvHeader::id},
    {"x", &CsvHeader::x},
    {"easting", &CsvHeader::x},
    {"y", &CsvHeader::y},
    {"northing", &CsvHeader::y},
    {"lat", &CsvHeader::latitude},
    {"latitude", &CsvHeader::latitude},
    {"lon", &CsvHeader::longitude},
    {"lng", &CsvHeader::longitude},
    {"long", &CsvHeader::longitude},
    {"longitude", &CsvHeader::longitude},
    {"demand", &CsvHeader::demand},
    {"demands", &CsvHeader::demand},
    {"amount", &CsvHeader::demand},
    {"quantity", &CsvHeader::demand},
    {"qty", &CsvHeader::demand},
    {"delivery", &CsvHeader::demand},
    {"load", &CsvHeader::demand},
    // An id only where there is no column of that name.
    {"name", nullptr},
    {"code", nullptr},
    {"key", nullptr},
    {"label", nullptr},
    {"customer", nullptr},
    {"stop", nullptr},
}};

// A plan that ignores one of these would be wrong without a word.
constexpr std::array<std::string_view, 19> kConstraints{
    "ready",       "ready_time", "due",       "due_time",    "due_date", "earliest", "latest",
    "time_window", "tw_start",   "tw_end",    "open",        "close",    "skills",   "skill",
    "priority",    "pickup",     "max_tasks", "tw_earliest", "tw_latest"};

constexpr std::string_view kHeaderExpected =
    "a first line with the names of the columns: id, then x and y or lat and lon, and demand "
    "where there are vehicles";

// Lower case, words joined by _.
std::string normal(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c + 32);
    } else {
      out += c == ' ' || c == '-' ? '_' : c;
    }
  }
  return out;
}

const ColumnName* known(std::string_view name) {
  const std::string word = normal(name);
  const auto* const found =
      std::find_if(kColumnNames.begin(), kColumnNames.end(),
                   [&](const ColumnName& column) { return column.name == word; });
  return found == kColumnNames.end() ? nullptr : found;
}

bool is_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  return std::from_chars(text.data(), end, value).ptr == end && !text.empty();
}

// The separator that makes the most columns; a comma if none does.
char separator_of(std::string_view line) {
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {';', '\t', ','}) {
    bool in_quotes = false;
    std::ptrdiff_t count = 0;
    for (const char c : line) {
      if (c == '"') in_quotes = !in_quotes;
      count += c == candidate && !in_quotes ? 1 : 0;
    }
    if (count > most) {
      best = candidate;
      most = count;
    }
  }
  return best;
}

class HeaderReader {
 public:
  explicit HeaderReader(TextInput& input) : input_(input) {}

  CsvHeader run() {
    for (;;) {
      const auto line = input_.line();
      if (!line) throw input_error({input_.name(), 0}, "an empty file", kHeaderExpected);
      header_.separator = separator_of(*line);
      if (!trimmed(*line).empty()) break;
    }
    input_.unread();
    CsvRows rows(input_, header_.separator);
    auto names = rows.next();
    where_ = rows.where();
    if (!names) throw input_error({input_.name(), 0}, "no header", kHeaderExpected);
    header_.names = std::move(*names);
    if (std::any_of(header_.names.begin(), header_.names.end(), is_number)) {
      throw input_error(where_, "numbers in the first line", kHeaderExpected);
    }
    for (std::size_t i = 0; i < header_.names.size(); ++i) take(i);
    fallback_id();
    require_coordinates();
    return std::move(header_);
  }

 private:
  void take(std::size_t index) {
    const std::string& name = header_.names[index];
    if (std::find(kConstraints.begin(), kConstraints.end(), normal(name)) != kConstraints.end()) {
      throw input_error(where_, header_.column(index) +
                                    " asks for what is not supported; rename "
                                    "or remove it to plan without it");
    }
    const ColumnName* const column = known(name);
    if (column == nullptr || column->column == nullptr) return;
    auto& place = header_.*column->column;
    if (place) {
      throw input_error(where_, header_.column(*place) + " and " + header_.column(index),
                        "one column for the " + std::string(column->name));
    }
    place = index;
  }

  void fallback_id() {
    for (std::size_t i = 0; i < header_.names.size() && !header_.id; ++i) {
      const ColumnName* const column = known(header_.names[i]);
      if (column != nullptr && column->column == nullptr) header_.id = i;
    }
  }

  void require_coordinates() {
    const bool plane = header_.x && header_.y, degrees = header_.latitude && header_.longitude;
    const auto half = [&](Column here, Column there, std::string_view missing) {
      if (!(header_.*here) || header_.*there) return;
      throw input_error(where_, header_.column(*(header_.*here)) + " alone",
                        "a column " + std::string(missing) + " beside it");
    };
    half(&CsvHeader::x, &CsvHeader::y, "y");
    half(&CsvHeader::y, &CsvHeader::x, "x");
    half(&CsvHeader::latitude, &CsvHeader::longitude, "lon");
    half(&CsvHeader::longitude, &CsvHeader::latitude, "lat");
    if (plane && degrees) {
      throw input_error(where_, "both x, y and lat, lon", "one of them");
    }
    if (!plane && !degrees) {
      std::string list;
      for (const std::string& name : header_.names) list += (list.empty() ? "" : ", ") + name;
      throw input_error(where_, "the columns " + quoted(list, 100), kHeaderExpected);
    }
  }

  TextInput& input_;
  Location where_;
  CsvHeader header_;
};

}  // namespace

std::string CsvHeader::column(std::size_t index) const {
  const std::string number = "column " + std::to_string(index + 1);
  const std::string name = quoted(names[index]);
  return number + " (" + name.substr(1, name.size() - 2) + ")";
}

bool is_csv_header(std::string_view line) {
  bool x = false, y = false;
  const char separator = separator_of(line);
  const std::size_t colon = line.find(':');  // "COMMENT: rows are id,x,y" is TSPLIB's
  if (colon < line.find(separator)) return false;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(separator), line.size());
    std::string_view field = trimmed(line.substr(0, end));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
      field = trimmed(field.substr(1, field.size() - 2));
    }
    line.remove_prefix(std::min(end + 1, line.size()));
    const ColumnName* const column = known(field);
    if (column == nullptr) continue;
    x = x || column->column == &CsvHeader::x || column->column == &CsvHeader::latitude;
    y = y || column->column == &CsvHeader::y || column->column == &CsvHeader::longitude;
  }
  return x && y;
}

CsvHeader read_csv_header(TextInput& input) {
  return HeaderReader(input).run();
}

}  // namespace eco::io
