#include "io/json/solution.h"

#include "io/json/instance.h"
#include "io/node_ids.h"
#include "io/plan/plan.h"
#include "io/problem_formats.h"
#include "io/reference.h"

namespace eco::io {

namespace {

void append_nodes(const JsonValue& list, const IdIndex& index, std::vector<NodeId>& out) {
  list.require_array("an array of node ids");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonValue id = list.at(i);
    const auto node = id.is_text() ? index.find(id.text()) : index.find(id.integer());
    if (!node) id.fail("the id of a node of the instance");
    out.emplace_back(*node);
  }
}

}  // namespace

Solution solution_from(const JsonValue& value, const Instance& instance) {
  value.require_object();
  const IdIndex index(instance);
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
    const JsonValue entry = list.at(i);
    const JsonValue ids = entry.is_object() ? entry["stops"] : entry;
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
      output << comma << json_id(instance, node);
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
  if (!instance.has_depot()) {
    write_sequence(output, instance, solution);
    output << "}\n";
    return;
  }
  output << R"("routes":[)";
  std::string_view comma;
  std::size_t number = 0;
  for (const PlanRoute& route : plan_of(instance, solution).routes) {
    output << comma << '{';
    if (number < instance.vehicle_ids.size()) {
      output << R"("vehicle":)" << instance.vehicle_ids[number] << ',';
    }
    ++number;
    output << R"("stops":)";
    comma = "[";
    for (const PlanStop& stop : route.stops) {
      output << comma << json_id(instance, stop.node);
      comma = ",";
    }
    output << R"(],"load":)" << route.load << R"(,"length":)" << route.length << '}';
  }
  output << "]}\n";
}

std::string json_id(const Instance& instance, NodeId node) {
  const std::string id = node_id(instance, node);
  return instance.names.empty() ? id : json_string(id);
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace eco::io
