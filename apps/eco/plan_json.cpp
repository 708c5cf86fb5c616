#include "eco/plan_json.h"

#include <nlohmann/json.hpp>

#include "io/plan/plan.h"
#include "io/problem_formats.h"

namespace eco::cli {

namespace {

nlohmann::ordered_json id_json(const Instance& instance, NodeId node) {
  if (!instance.names.empty()) return instance.names[node.index()];
  if (!instance.labels.empty()) return instance.labels[node.index()];
  return node.index() + 1;
}

}  // namespace

void add_plan(nlohmann::ordered_json& json, const Instance& instance, const Solution& solution) {
  using Json = nlohmann::ordered_json;
  Json routes = Json::array();
  for (const io::PlanRoute& route : io::plan_of(instance, solution).routes) {
    Json stops = Json::array();
    if (!instance.has_depot() && instance.problem().closed) {
      stops.push_back(id_json(instance, kDepot));
    }
    for (const io::PlanStop& stop : route.stops) stops.push_back(id_json(instance, stop.node));
    if (!instance.has_depot()) {
      json[io::formats_of(instance.kind).sequence_key] = std::move(stops);
      return;
    }
    Json entry;
    if (routes.size() < instance.vehicle_ids.size()) {
      entry["vehicle"] = instance.vehicle_ids[routes.size()];
    }
    entry["stops"] = std::move(stops);
    entry["load"] = route.load;
    entry["length"] = route.length;
    routes.push_back(std::move(entry));
  }
  json["routes"] = std::move(routes);
}

}  // namespace eco::cli
