#include "io/csv/instance.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "io/csv/header.h"
#include "io/csv/rows.h"
#include "io/node_ids.h"
#include "io/problem_formats.h"
#include "io/reference.h"
#include "io/scanner.h"

namespace eco::io {

namespace {

struct Stop {
  std::string id;
  Point point;  // x and y, or longitude and latitude
  std::optional<std::int64_t> demand;
  std::size_t line = 0;
};

// orders of folder/orders.csv.gz; nothing of standard input.
std::string table_name(const std::string& file) {
  if (file == "stdin") return "";
  std::filesystem::path path(file);
  if (path.extension() == ".gz") path = path.stem();
  return path.stem().string();
}

// Ids go to JSON and pictures, where other encodings have no place.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80   ? 0
                             : lead < 0xc2 ? 4
                             : lead < 0xe0 ? 1
                             : lead < 0xf0 ? 2
                                           : 3;
    if (more == 4 || lead > 0xf4 || i + more >= text.size()) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0U) != 0x80) return false;
    }
    // Longer forms than needed, halves of UTF-16 pairs, and what is beyond Unicode.
    const auto second = static_cast<unsigned char>(more > 0 ? text[i + 1] : 0);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) {
      return false;
    }
    i += more + 1;
  }
  return true;
}

std::optional<double> real_number(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  const char* start = text.data();
  const char* end = start + text.size();
  if (text.size() > 1 && *start == '+' && start[1] != '-') ++start;
  double value = 0;
  const auto [stop, problem] = std::from_chars(start, end, value);
  if (problem != std::errc{} || stop != end || !(std::fabs(value) <= kMaxMagnitude)) {
    return std::nullopt;
  }
  return value;
}

class TableReader {
 public:
  TableReader(TextInput& input, const ReadOptions& options)
      : input_(input),
        options_(options),
        header_(read_csv_header(input)),
        rows_(input, header_.separator) {}

  Instance run() {
    while (const auto fields = rows_.next()) row(*fields);
    if (stops_.empty()) throw input_error({input_.name(), 0}, "no rows below the header", "stops");
    if (stops_.size() > kMaxNodes) throw input_.error("more rows than can be planned", "fewer");
    ids();
    Instance instance;
    instance.name = table_name(input_.name());
    if (header_.demand) {
      fleet(instance);
    } else {
      if (options_.capacity) {
        throw Error(ErrorKind::usage,
                    input_.name() + ": a capacity, but the table has no column for the demand");
      }
      if (!options_.depot.empty()) to_front(depot());
    }
    NodeIds ids;
    for (const Stop& stop : stops_) ids.add_text(stop.id);
    std::move(ids).give_to(instance);
    coordinates(instance);
    finish(instance, {input_.name(), 0}, options_);
    return instance;
  }

 private:
  [[nodiscard]] Error wrong(std::size_t column, const std::string& field,
                            std::string_view expected) const {
    return input_error(
        rows_.where(),
        (field.empty() ? "an empty field" : quoted(field)) + " in " + header_.column(column),
        expected);
  }

  void row(const std::vector<std::string>& fields) {
    const std::size_t columns = header_.names.size();
    for (std::size_t i = columns; i < fields.size(); ++i) {
      if (fields[i].empty()) continue;
      throw input_error(rows_.where(), std::to_string(fields.size()) + " fields",
                        std::to_string(columns) + " as in the header");
    }
    const auto field = [&](std::size_t column) {
      return column < fields.size() ? fields[column] : std::string();
    };
    Stop stop;
    stop.line = rows_.where().line;
    stop.id = header_.id ? field(*header_.id) : std::to_string(stops_.size() + 1);
    if (stop.id.empty()) throw wrong(*header_.id, "", "an id");
    if (!is_utf8(stop.id)) throw wrong(*header_.id, stop.id, "a table saved as UTF-8");
    const bool degrees = header_.degrees();
    const std::size_t x = degrees ? *header_.longitude : *header_.x;
    const std::size_t y = degrees ? *header_.latitude : *header_.y;
    stop.point = {number(x, field(x)), number(y, field(y))};
    if (degrees) {
      const std::string problem = place_violation({stop.point.y, stop.point.x});
      if (!problem.empty()) {
        const std::size_t column = problem.starts_with("lat") ? y : x;
        throw wrong(column, field(column), degrees_range(column == y));
      }
    }
    if (header_.demand) demand(stop, field(*header_.demand));
    stops_.push_back(std::move(stop));
  }

  static std::string_view degrees_range(bool latitude) {
    return latitude ? "a latitude from -90 to 90 degrees" : "a longitude from -180 to 180 degrees";
  }

  // A comma in a number is a decimal comma, unless other numbers of the table have a point.
  double number(std::size_t column, const std::string& field) {
    const bool comma = field.find(',') != std::string::npos;
    const bool point = field.find('.') != std::string::npos;
    const auto value = comma && point ? std::nullopt : real_number(field);
    if (!value) throw wrong(column, field, "a number");
    if ((comma && points_) || (point && commas_)) {
      throw wrong(column, field,
                  comma ? "a decimal point, as in the numbers above"
                        : "a decimal comma, as in the numbers above");
    }
    commas_ = commas_ || comma;
    points_ = points_ || point;
    return *value;
  }

  void demand(Stop& stop, const std::string& field) {
    if (field.empty()) return;
    const double value = number(*header_.demand, field);
    if (!(value >= 0 && value <= static_cast<double>(kMaxQuantity) && value == std::floor(value))) {
      throw wrong(*header_.demand, field,
                  "a whole number from 0 to " + std::to_string(kMaxQuantity) +
                      " (of smaller units, if need be)");
    }
    stop.demand = static_cast<std::int64_t>(value);
  }

  // Every id once; ids are told apart as text.
  void ids() {
    NodeIds ids;
    for (const Stop& stop : stops_) ids.add(stop.id);
    const auto twice = ids.duplicate();
    if (!twice) return;
    throw input_error(
        {input_.name(), stops_[twice->second].line},
        "the id " + quoted(twice->first) + " a second time in " + header_.column(*header_.id),
        "every id once");
  }

  void fleet(Instance& instance) {
    if (!options_.capacity) {
      throw Error(ErrorKind::usage, input_.name() + ": " + header_.column(*header_.demand) +
                                        " asks for vehicles; expected their capacity "
                                        "(--capacity Q)");
    }
    instance.kind = first_problem(true);
    instance.capacity = *options_.capacity;
    to_front(depot());
    const Stop& base = stops_.front();
    if (base.demand.value_or(0) != 0) {
      throw input_error(
          {input_.name(), base.line},
          "demand " + std::to_string(*base.demand) + " at the depot " + quoted(base.id),
          "none; --depot names another row");
    }
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      const Stop& stop = stops_[i];
      if (i > 0 && !stop.demand) {
        throw input_error({input_.name(), stop.line},
                          "an empty field in " + header_.column(*header_.demand), "a demand");
      }
      if (stop.demand.value_or(0) > instance.capacity) {
        throw input_error(
            {input_.name(), stop.line},
            "demand " + std::to_string(*stop.demand) + " in " + header_.column(*header_.demand),
            "0 to the capacity " + std::to_string(instance.capacity));
      }
      instance.demands.push_back(stop.demand.value_or(0));
    }
  }

  // Asked for, or the row called depot, or the first.
  [[nodiscard]] std::size_t depot() {
    const std::string& asked = options_.depot;
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      if (asked.empty() ? same_word(stops_[i].id, "depot") : stops_[i].id == asked) return i;
    }
    if (asked.empty()) return 0;
    const auto row = plain_integer(asked);
    if (row && *row >= 1 && static_cast<std::uint64_t>(*row) <= stops_.size()) {
      return static_cast<std::size_t>(*row - 1);
    }
    if (const auto place = coordinates_in(asked)) {
      stops_.insert(stops_.begin(), {free_id("depot"), *place, 0, 0});
      return 0;
    }
    throw Error(ErrorKind::usage, input_.name() + ": --depot " + quoted(asked) +
                                      ": expected an id of the table, a row from 1 to " +
                                      std::to_string(stops_.size()) + " or coordinates " +
                                      (header_.degrees() ? "LAT,LON" : "X,Y"));
  }

  [[nodiscard]] std::optional<Point> coordinates_in(const std::string& text) const {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) return std::nullopt;
    const std::string_view second = std::string_view(text).substr(comma + 1);
    if (second.find(',') != std::string_view::npos) return std::nullopt;
    const auto a = real_number(std::string(trimmed(text.substr(0, comma))));
    const auto b = real_number(std::string(trimmed(second)));
    if (!a || !b) return std::nullopt;
    if (!header_.degrees()) return Point{*a, *b};
    if (!place_violation({*a, *b}).empty()) return std::nullopt;
    return Point{*b, *a};
  }

  [[nodiscard]] std::string free_id(std::string id) const {
    const auto taken = [&](const Stop& stop) { return stop.id == id; };
    while (std::any_of(stops_.begin(), stops_.end(), taken)) id += '_';
    return id;
  }

  void to_front(std::size_t stop) {
    const auto at = stops_.begin() + static_cast<std::ptrdiff_t>(stop);
    std::rotate(stops_.begin(), at, at + 1);
  }

  void coordinates(Instance& instance) const {
    if (header_.degrees()) {
      std::vector<Place> places;
      places.reserve(stops_.size());
      for (const Stop& stop : stops_) places.emplace_back(stop.point.y, stop.point.x);
      set_places(instance, std::move(places));
      instance.metric = Metric::great_circle;
      return;
    }
    instance.points.reserve(stops_.size());
    for (const Stop& stop : stops_) instance.points.push_back(stop.point);
    instance.rounding = options_.rounding.value_or(Rounding::none);
  }

  TextInput& input_;
  const ReadOptions& options_;
  CsvHeader header_;
  CsvRows rows_;
  std::vector<Stop> stops_;
  bool points_ = false, commas_ = false;  // decimal signs seen so far
};

}  // namespace

Instance read_csv(TextInput& input, const ReadOptions& options) {
  return TableReader(input, options).run();
}

}  // namespace eco::io
