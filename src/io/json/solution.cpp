#include "io/json/solution.h"

#include "io/json/instance.h"
#include "io/label_index.h"
#include "io/problem_formats.h"
#include "io/reference.h"

namespace eco::io {

namespace {

void append_nodes(const JsonValue& list, const LabelIndex& index, std::vector<NodeId>& out) {
  list.require_array("an array of node ids");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonValue id = list.at(i);
    const auto node = index.find(id.integer());
    if (!node) id.fail("the id of a node of the instance");
    out.emplace_back(*node);
  }
}

}  // namespace

Solution solution_from(const JsonValue& value, const Instance& instance) {
  value.require_object();
  const LabelIndex index(instance.labels, instance.size());
  Solution solution;
  if (!instance.has_depot()) {
    append_nodes(value[formats_of(instance.kind).sequence_key], index, solution.sequence);
    if (instance.problem().closed) open_tour(solution);
    return solution;
  }
  const JsonValue list = value["routes"];
  list.require_array("an array of routes");
  Routes routes;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonValue ids = list.at(i);
    Route& route = routes.emplace_back();
    append_nodes(ids, index, route);
    for (std::size_t stop = 0; stop < route.size(); ++stop) {
      if (route[stop] == kDepot) ids.at(stop).fail("a customer: routes do not list the depot");
    }
  }
  return from_routes(routes);
}

Solution read_json_solution(const JsonDocuments::Document& document, const std::string& file,
                            const Instance& instance) {
  const nlohmann::json json = parse_json(document, file);
  const Location where{file, document.line};
  const JsonValue value(json, where);
  return solution_from(value.has("solution") ? value["solution"] : value, instance);
}

void write_sequence(Output& output, const Instance& instance, const Solution& solution) {
  const auto list = [&](const std::vector<NodeId>& nodes) {
    std::string_view comma = "[";
    for (const NodeId node : nodes) {
      output << comma
             << (instance.labels.empty() ? static_cast<std::int64_t>(node.index() + 1)
                                         : instance.labels[node.index()]);
      comma = ",";
    }
    output << (nodes.empty() ? "[]" : "]");
  };
  if (!instance.has_depot()) {
    output << '"' << formats_of(instance.kind).sequence_key << R"(":)";
    list(solution.sequence);
    return;
  }
  output << R"("routes":[)";
  std::string_view comma;
  for (const Route& route : to_routes(solution)) {
    output << comma;
    list(route);
    comma = ",";
  }
  output << ']';
}

void write_json_solution(Output& output, const Instance& instance, const Solution& solution,
                         double cost) {
  output << R"({"problem":")" << to_string(instance.kind) << R"(","name":)"
         << json_string(instance.name) << R"(,"nodes":)" << instance.size();
  if (instance.has_depot()) output << R"(,"capacity":)" << instance.capacity;
  if (instance.vehicles) output << R"(,"vehicles":)" << *instance.vehicles;
  output << R"(,"metric":")" << to_string(instance.metric) << R"(","rounding":")"
         << rounding_name(instance.metric, instance.rounding) << R"(","cost":)" << cost << ',';
  write_sequence(output, instance, solution);
  output << "}\n";
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace eco::io
