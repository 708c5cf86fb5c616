#include <algorithm>
#include <utility>

#include "io/json/documents.h"
#include "io/json/instance.h"
#include "io/label_index.h"
#include "io/plan/read.h"
#include "io/reader.h"
#include "io/reference.h"
#include "io/scanner.h"
#include "io/text_input.h"
#include "io/tsplib/syntax.h"

namespace eco::io {

namespace {

// A sequence with a depot as files give it, turned into the one with depot tokens at both ends.
Solution closed_at_depot(std::vector<NodeId> sequence) {
  if (std::find(sequence.begin(), sequence.end(), kDepot) != sequence.end()) {
    std::rotate(sequence.begin(), std::find(sequence.begin(), sequence.end(), kDepot),
                sequence.end());
  }
  return from_routes(to_routes({std::move(sequence)}));
}

// TSPLIB `.tour`. LKH writes the routes of a CVRP as one tour in which the numbers above n are
// further copies of the depot.
class TourReader {
 public:
  TourReader(TextInput& input, const Instance& instance)
      : input_(input), instance_(instance), index_(instance.labels, instance.size()) {}

  Solution run() {
    bool found = false, ended = false;
    while (const auto line = input_.line()) {
      if (is_empty_line(*line)) continue;
      if (ended) throw input_.error(quoted(*line) + " after EOF", "the end of the file");
      const auto [keyword, value] = split_keyword(*line);
      if (keyword == "TOUR_SECTION") {
        if (std::exchange(found, true)) throw input_.error("a second TOUR_SECTION", "one");
        section();
      } else if (keyword == "EOF") {
        ended = true;
      } else {
        header(keyword, value, *line);
      }
    }
    if (!found) throw input_error({input_.name(), 0}, "no TOUR_SECTION", "one");
    if (instance_.has_depot()) return closed_at_depot(std::move(sequence_));
    Solution tour{std::move(sequence_)};
    if (instance_.problem().closed) open_tour(tour);
    return tour;
  }

 private:
  void header(const std::string& keyword, std::string_view value, std::string_view line) {
    if (keyword == "TYPE" && !same_word(value, "TOUR")) {
      throw input_.error("TYPE " + quoted(value), "TYPE : TOUR");
    }
    if (keyword == "DIMENSION") {
      const auto dimension = quantity_from(value);
      const auto nodes = static_cast<std::int64_t>(instance_.size());
      const bool fits =
          dimension && (instance_.has_depot() ? *dimension >= nodes : *dimension == nodes);
      if (!fits) {
        throw input_.error("DIMENSION " + quoted(value),
                           std::to_string(nodes) + " as in the instance");
      }
    }
    if (keyword != "NAME" && keyword != "COMMENT" && keyword != "TYPE" && keyword != "DIMENSION") {
      throw input_.error(quoted(line), "NAME, COMMENT, TYPE, DIMENSION, TOUR_SECTION or EOF");
    }
  }

  void section() {
    bool closed = false;
    while (const auto line = input_.line()) {
      if (is_empty_line(*line)) continue;
      Scanner scanner(*line, input_);
      if (scanner.at_word()) {
        input_.unread();
        break;
      }
      while (!scanner.at_end()) {
        const std::int64_t label = scanner.integer("a node number or -1");
        if (closed) throw input_.error(std::to_string(label) + " after -1", "EOF: one tour");
        closed = label == -1;
        if (!closed) sequence_.push_back(node(label));
      }
    }
    if (!closed) throw input_.error("the end of TOUR_SECTION", "-1 after the last node");
  }

  [[nodiscard]] NodeId node(std::int64_t label) const {
    const auto nodes = static_cast<std::int64_t>(instance_.size());
    if (const auto found = index_.find(label)) return NodeId(*found);
    if (instance_.has_depot() && label > nodes && label < 2 * nodes) return kDepot;
    throw input_.error("node " + std::to_string(label), "a node of the instance");
  }

  TextInput& input_;
  const Instance& instance_;
  LabelIndex index_;
  std::vector<NodeId> sequence_;
};

NodeId customer(std::int64_t number, const TextInput& input, const Instance& instance) {
  if (number < 1 || static_cast<std::uint64_t>(number) > instance.customers()) {
    throw input.error("customer " + std::to_string(number),
                      "1 to " + std::to_string(instance.customers()) +
                          " (customers are numbered without the depot)");
  }
  return NodeId(static_cast<std::size_t>(number));
}

// CVRPLIB `.sol`: `Route #1: 3 1 4`, customers numbered from 1 without the depot, then `Cost 123`.
Solution read_sol(TextInput& input, const Instance& instance) {
  constexpr std::string_view kExpected = "'Route #1: ...' or 'Cost ...'";
  if (!instance.has_depot()) {
    throw input_error({input.name(), 0}, "routes",
                      "a tour: the instance is a " + std::string(instance.problem().title));
  }
  Routes routes;
  while (const auto line = input.line()) {
    if (is_empty_line(*line)) continue;
    const std::string_view text = trimmed(*line);
    if (same_word(text.substr(0, 4), "cost") || same_word(text.substr(0, 4), "time")) {
      std::string_view value = trimmed(text.substr(4));
      if (value.starts_with(':')) value.remove_prefix(1);
      Scanner scanner(value, input);
      (void)scanner.number("a cost or time in seconds");
      continue;
    }
    const std::size_t colon = text.find(':');
    if (!same_word(text.substr(0, 5), "route") || colon == std::string_view::npos) {
      throw input.error(quoted(text), kExpected);
    }
    std::string_view number = trimmed(text.substr(5, colon - 5));
    if (number.starts_with('#')) number = trimmed(number.substr(1));
    if (!quantity_from(number)) throw input.error(quoted(text.substr(0, colon)), kExpected);
    Scanner scanner(text.substr(colon + 1), input);
    Route route;
    while (!scanner.at_end()) {
      route.push_back(customer(scanner.integer("a customer number"), input, instance));
    }
    if (!route.empty()) routes.push_back(std::move(route));
  }
  if (routes.empty()) throw input_error({input.name(), 0}, "no route", kExpected);
  return from_routes(routes);
}

// Only numbers: those of the nodes as in the instance; with a depot 0 is it, customers from 1.
Solution read_list(TextInput& input, const Instance& instance) {
  const LabelIndex index(instance.labels, instance.size());
  std::vector<NodeId> sequence;
  while (const auto line = input.line()) {
    Scanner scanner(*line, input);
    while (!scanner.at_end()) {
      const std::int64_t number = scanner.integer("a node number");
      if (instance.has_depot()) {
        sequence.push_back(number == 0 ? kDepot : customer(number, input, instance));
        continue;
      }
      const auto node = index.find(number);
      if (!node) throw input.error("node " + std::to_string(number), "a node of the instance");
      sequence.emplace_back(*node);
    }
  }
  if (instance.has_depot()) {
    return from_routes(to_routes({std::move(sequence)}));
  }
  Solution tour{std::move(sequence)};
  if (instance.problem().closed) open_tour(tour);
  return tour;
}

Solution read_from(TextInput input, const Instance& instance) {
  const std::string_view head = input.head();
  const std::size_t start = head.find_first_not_of(" \t\r\n\v\f");
  if (start == std::string_view::npos) {
    throw input_error({input.name(), 0}, "an empty file", "a solution");
  }
  const std::string_view text = head.substr(start);
  if (text.front() == '{') {
    JsonDocuments documents(input);
    Solution solution = read_json_solution(*documents.next(), input.name(), instance);
    if (documents.more()) throw input.error("a second JSON object", "one solution");
    return solution;
  }
  if (is_plan_header(text.substr(0, text.find_first_of("\r\n")))) {
    return read_plan_csv(input, instance);
  }
  for (const std::string_view word : {"route", "cost", "time"}) {
    if (same_word(text.substr(0, word.size()), word)) return read_sol(input, instance);
  }
  if (is_letter(text.front())) return TourReader(input, instance).run();
  return read_list(input, instance);
}

}  // namespace

Solution read_solution(const std::string& path, const Instance& instance) {
  return read_from(TextInput(open_bytes(path), path == "-" ? "stdin" : path), instance);
}

Solution solution_in(std::string_view bytes, const std::string& name, const Instance& instance) {
  return read_from(TextInput(bytes_in(bytes, name), name), instance);
}

}  // namespace eco::io
