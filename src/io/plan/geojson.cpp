#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "io/json/solution.h"
#include "io/plan/plan.h"
#include "io/plan/write.h"

namespace eco::io {

namespace {

void position(Output& output, double longitude, double latitude) {
  output << '[' << longitude << ',' << latitude << ']';
}

// The lines of a route; cut at the date line, as RFC 7946 (3.1.9) wants it.
void lines(Output& output, const Instance& instance, const std::vector<NodeId>& nodes) {
  output << R"("geometry":{"type":"MultiLineString","coordinates":[[)";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Place& here = instance.places[nodes[i].index()];
    if (i > 0) {
      const Place& last = instance.places[nodes[i - 1].index()];
      if (std::fabs(here.longitude - last.longitude) > 180) {
        const double side = last.longitude > 0 ? 180 : -180;
        const double way = here.longitude + 2 * side - last.longitude;
        const double share = way == 0 ? 0 : (side - last.longitude) / way;
        const double latitude = last.latitude + share * (here.latitude - last.latitude);
        output << ',';
        position(output, side, latitude);
        output << "],[";
        position(output, -side, latitude);
      }
      output << ',';
    }
    position(output, here.longitude, here.latitude);
  }
  output << "]]}}";
}

}  // namespace

void require_degrees(const Instance& instance) {
  if (!instance.places.empty()) return;
  throw Error(ErrorKind::usage,
              "GeoJSON is for latitudes and longitudes, which the instance does not have; write "
              ".csv or .json");
}

void write_plan_geojson(Output& output, const Instance& instance, const Solution& solution) {
  require_degrees(instance);
  const bool loads = !instance.demands.empty();
  const Plan plan = plan_of(instance, solution);
  const auto point = [&](NodeId node) {
    output << R"(},"geometry":{"type":"Point","coordinates":)";
    const Place& place = instance.places[node.index()];
    position(output, place.longitude, place.latitude);
    output << "}}";
  };
  output << R"({"type":"FeatureCollection","features":[)" << '\n';
  std::string_view comma;
  if (instance.problem().closed) {
    output << R"({"type":"Feature","properties":{"id":)" << json_id(instance, kDepot)
           << (instance.has_depot() ? R"(,"depot":true)" : R"(,"start":true)");
    point(kDepot);
    comma = ",\n";
  }
  std::size_t number = 0;
  for (const PlanRoute& route : plan.routes) {
    ++number;
    output << comma << R"({"type":"Feature","properties":{"route":)" << number;
    comma = ",\n";
    if (number <= instance.vehicle_ids.size()) {
      output << R"(,"vehicle":)" << instance.vehicle_ids[number - 1];
    }
    output << R"(,"stops":)" << route.stops.size();
    if (loads) output << R"(,"load":)" << route.load;
    output << R"(,"length":)" << route.length << "},";
    std::vector<NodeId> nodes;
    if (plan.departs) nodes.push_back(kDepot);
    for (const PlanStop& stop : route.stops) nodes.push_back(stop.node);
    if (plan.returns) nodes.push_back(kDepot);
    lines(output, instance, nodes);
    std::size_t place = 0;
    for (const PlanStop& stop : route.stops) {
      output << ",\n"
             << R"({"type":"Feature","properties":{"id":)" << json_id(instance, stop.node)
             << R"(,"route":)" << number << R"(,"stop":)" << ++place;
      if (loads) {
        output << R"(,"demand":)" << instance.demands[stop.node.index()] << R"(,"load_after":)"
               << stop.load_after;
      }
      output << R"(,"distance":)" << stop.distance;
      point(stop.node);
    }
  }
  output << "\n]}\n";
}

}  // namespace eco::io
