#include "io/tsplib/file.h"

#include <algorithm>
#include <array>

#include "core/base/ids.h"
#include "io/scanner.h"
#include "io/tsplib/syntax.h"

namespace eco::io {

namespace {

// Known header keywords. SERVICE_TIME does not change the cost of a solution.
constexpr std::array<std::string_view, 11> kHeaders{"NAME",
                                                    "TYPE",
                                                    "COMMENT",
                                                    "DIMENSION",
                                                    "EDGE_WEIGHT_TYPE",
                                                    "EDGE_WEIGHT_FORMAT",
                                                    "CAPACITY",
                                                    "NODE_COORD_TYPE",
                                                    "VEHICLES",
                                                    "SERVICE_TIME",
                                                    "DISPLAY_DATA_TYPE"};

class Parser {
 public:
  explicit Parser(TextInput& input) : input_(input) { file_.name = input.name(); }

  TsplibFile run() {
    bool ended = false;
    while (const auto line = input_.line()) {
      if (is_empty_line(*line)) continue;
      if (ended) throw input_.error(quoted(*line) + " after EOF", "the end of the file");
      const auto [keyword, value] = split_keyword(*line);
      if (keyword == "EOF") {
        ended = true;
      } else if (keyword.ends_with("_SECTION")) {
        section(keyword, value);
      } else {
        header(keyword, value, *line);
      }
    }
    return std::move(file_);
  }

 private:
  void header(const std::string& keyword, std::string_view value, std::string_view line) {
    if (keyword == "DISTANCE") {
      throw input_.error("DISTANCE (a limit on the length of a route)",
                         "a plain CVRP: such limits are not supported");
    }
    if (std::find(kHeaders.begin(), kHeaders.end(), keyword) == kHeaders.end()) {
      throw input_.error(quoted(line), "a TSPLIB keyword such as NAME, TYPE or NODE_COORD_SECTION");
    }
    const auto [at, is_new] = file_.headers.try_emplace(
        keyword, TsplibFile::Header{std::string(value), input_.where().line});
    if (!is_new) {
      if (keyword != "COMMENT") {
        throw input_.error("a second " + keyword,
                           "one (the first is on line " + std::to_string(at->second.line) + ")");
      }
      at->second.value += '\n';
      at->second.value += value;
    }
    if (keyword == "DIMENSION") {
      Scanner scanner(value, input_);
      const std::string expected = "1 to " + std::to_string(kMaxNodes) + " nodes as DIMENSION";
      const std::int64_t dimension = scanner.integer(expected);
      if (dimension < 1 || static_cast<std::uint64_t>(dimension) > kMaxNodes || !scanner.at_end()) {
        throw input_.error(quoted(value), expected);
      }
      file_.dimension = static_cast<std::size_t>(dimension);
    }
  }

  void section(const std::string& keyword, std::string_view value) {
    const std::size_t line = input_.where().line;
    const auto [at, is_new] = file_.sections.try_emplace(keyword, line);
    if (!is_new) {
      throw input_.error("a second " + quoted(keyword),
                         "one (the first is on line " + std::to_string(at->second) + ")");
    }
    if (!value.empty())
      throw input_.error(quoted(value) + " after " + quoted(keyword), "a line end");
    if (file_.dimension == 0)
      throw input_.error(quoted(keyword), "DIMENSION before the first section");
    if (keyword == "NODE_COORD_SECTION") {
      coordinates(keyword, file_.nodes);
    } else if (keyword == "DISPLAY_DATA_SECTION") {
      coordinates(keyword, file_.display);
    } else if (keyword == "EDGE_WEIGHT_SECTION") {
      weights();
    } else if (keyword == "DEMAND_SECTION") {
      demands();
    } else if (keyword == "DEPOT_SECTION") {
      depots();
    } else {
      throw input_.error(quoted(keyword),
                         "NODE_COORD, DISPLAY_DATA, EDGE_WEIGHT, DEMAND or DEPOT_SECTION; other "
                         "sections are not supported");
    }
  }

  // Calls row(Scanner&) for each data line; stops before the next keyword.
  template <class Row>
  void each_line(Row row) {
    while (const auto line = input_.line()) {
      if (is_empty_line(*line)) continue;
      Scanner scanner(*line, input_);
      if (scanner.at_word()) {
        input_.unread();
        return;
      }
      row(scanner);
    }
  }

  // One line a node, exactly DIMENSION of them.
  template <class Row>
  void each_node(const std::string& keyword, Row row) {
    std::size_t rows = 0;
    each_line([&](Scanner& scanner) {
      if (++rows > file_.dimension) {
        throw input_.error("more rows in " + keyword,
                           std::to_string(file_.dimension) + " as DIMENSION says");
      }
      row(scanner);
      if (!scanner.at_end()) scanner.fail("the end of the row");
    });
    if (rows < file_.dimension) {
      throw input_.error("the end of " + keyword + " after " + std::to_string(rows) + " rows",
                         std::to_string(file_.dimension) + " as DIMENSION says");
    }
  }

  void coordinates(const std::string& keyword, TsplibFile::Coordinates& out) {
    each_node(keyword, [&](Scanner& scanner) {
      out.labels.push_back(scanner.integer("a node number"));
      const double x = scanner.number("a finite x coordinate");
      const double y = scanner.number("a finite y coordinate");
      out.points.push_back({x, y});
    });
  }

  void weights() {
    const std::size_t most = file_.dimension * file_.dimension;
    each_line([&](Scanner& scanner) {
      while (!scanner.at_end()) {
        const double weight = scanner.number("a finite distance");
        if (weight < 0) throw input_.error("a negative distance", "0 or more");
        if (file_.weights.size() == most) {
          throw input_.error("more than " + std::to_string(most) + " distances",
                             "no more than a full matrix of DIMENSION rows");
        }
        file_.weights.push_back(weight);
      }
    });
  }

  void demands() {
    each_node("DEMAND_SECTION", [&](Scanner& scanner) {
      const std::int64_t label = scanner.integer("a node number");
      const std::int64_t demand = scanner.quantity("a demand (a whole number)");
      file_.demands.push_back({label, demand, input_.where().line});
    });
  }

  void depots() {
    bool closed = false;
    each_line([&](Scanner& scanner) {
      while (!scanner.at_end()) {
        if (closed) scanner.fail("a section keyword or EOF after the -1 of DEPOT_SECTION");
        const std::int64_t label = scanner.integer("a depot's node number or -1");
        closed = label == -1;
        if (closed) continue;
        if (!file_.depots.empty()) {
          throw input_.error("a second depot", "one depot, then -1");
        }
        file_.depots.push_back(label);
      }
    });
  }

  TextInput& input_;
  TsplibFile file_;
};

}  // namespace

TsplibFile parse_tsplib(TextInput& input) {
  return Parser(input).run();
}

}  // namespace eco::io
