#include <cmath>

#include "io/plan/plan.h"
#include "io/plan/write.h"

namespace eco::io {

namespace {

// In quotes where a reader would otherwise take it apart.
void csv_field(Output& output, std::string_view text) {
  const bool edge_blank = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos && !edge_blank) {
    output << text;
    return;
  }
  output << '"';
  for (const char c : text) output << (c == '"' ? "\"\"" : std::string_view(&c, 1));
  output << '"';
}

}  // namespace

void write_plan_csv(Output& output, const Instance& instance, const Solution& solution) {
  const bool degrees = !instance.places.empty(), loads = !instance.demands.empty();
  const bool vehicles = !instance.vehicle_ids.empty();
  output << (vehicles ? "route,vehicle" : "route") << ",stop,id"
         << (degrees                 ? ",lat,lon"
             : instance.has_points() ? ",x,y"
                                     : "")
         << (loads ? ",demand,load_after" : "") << ",distance\n";
  const Plan plan = plan_of(instance, solution);
  std::size_t number = 0, place = 0;  // of the route, of the stop in it
  const auto row = [&](const PlanStop& stop) {
    const std::size_t node = stop.node.index();
    output << number;
    if (vehicles) {
      output << ',';
      // A plan that lacks vehicles has routes for nobody.
      if (number <= instance.vehicle_ids.size()) output << instance.vehicle_ids[number - 1];
    }
    output << ',' << place++ << ',';
    csv_field(output, node_id(instance, stop.node));
    if (degrees) {
      output << ',' << instance.places[node].latitude << ',' << instance.places[node].longitude;
    } else if (instance.has_points()) {
      output << ',' << instance.points[node].x << ',' << instance.points[node].y;
    }
    if (loads) output << ',' << instance.demands[node] << ',' << stop.load_after;
    // People read it: metres need no more than a decimal.
    const bool metres = instance.metric == Metric::great_circle;
    output << ',' << (metres ? std::round(10 * stop.distance) / 10 : stop.distance) << '\n';
  };
  for (const PlanRoute& route : plan.routes) {
    ++number;
    place = plan.departs ? 0 : 1;
    if (plan.departs) row({kDepot, 0, 0});
    for (const PlanStop& stop : route.stops) row(stop);
    if (plan.returns) row({kDepot, route.load, route.length});
  }
}

}  // namespace eco::io
