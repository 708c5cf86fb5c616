#include "problems/tsp/io/tsp_lines.h"

#include "io/reference.h"
#include "io/scanner.h"

namespace eco::io {

namespace {

Solution read_tour(Scanner& scanner, const TextInput& input, std::size_t nodes) {
  Solution tour;
  tour.sequence.reserve(nodes + 1);
  while (!scanner.at_end()) {
    const std::int64_t number = scanner.integer("a node number");
    if (number < 1 || static_cast<std::uint64_t>(number) > nodes) {
      throw input.error("node " + std::to_string(number) + " in the tour",
                        "1 to " + std::to_string(nodes));
    }
    if (tour.sequence.size() > nodes) {
      throw input.error("a tour of more than " + std::to_string(nodes + 1) + " numbers",
                        "each node once, and the first again");
    }
    tour.sequence.emplace_back(static_cast<std::size_t>(number - 1));
  }
  open_tour(tour);
  return tour;
}

}  // namespace

Instance read_tsp_line(std::string_view line, const TextInput& input, const ReadOptions& options) {
  Instance instance;
  instance.rounding = options.rounding.value_or(Rounding::none);
  Scanner scanner(line, input);
  // A coordinate and its blank take at least two bytes, usually about twenty.
  instance.points.reserve(line.size() / 40);
  while (!scanner.at_end() && !scanner.at_word()) {
    const double x = scanner.number("a finite x coordinate");
    if (scanner.at_end()) {
      throw input.error("an odd number of coordinates", "pairs x y");
    }
    const double y = scanner.number("a finite y coordinate");
    instance.points.push_back({x, y});
  }
  if (instance.points.empty()) scanner.fail("coordinates");
  if (!scanner.at_end()) {
    const std::string_view word = scanner.word();
    if (word != "output") throw input.error(quoted(word), "a finite coordinate or 'output'");
    instance.reference = read_tour(scanner, input, instance.size());
  }
  finish(instance, input.where(), options);
  return instance;
}

void write_tsp_line(Output& output, const Instance& instance) {
  require_euclidean(instance, "TSP lines");
  std::string_view blank;
  for (const Point& point : instance.points) {
    output << blank << point.x << ' ' << point.y;
    blank = " ";
  }
  if (instance.reference) {
    (void)checked_cost(instance, *instance.reference);
    output << " output";
    for (const NodeId node : instance.reference->sequence) output << ' ' << node.index() + 1;
    output << ' ' << instance.reference->sequence.front().index() + 1;
  }
  output << '\n';
}

}  // namespace eco::io
