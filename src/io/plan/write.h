#pragma once
// Plans as tables and as maps. docs/formats.md shows both.

#include "core/instance/instance.h"
#include "io/output.h"

namespace eco::io {

// One row a stop: route, stop, id, coordinates, demand, load after it, distance from the start of
// the route. The start is stop 0 of every route and its last one.
void write_plan_csv(Output& output, const Instance& instance, const Solution& solution);

// A line for every route and a point for every stop (RFC 7946). Throws eco::Error (usage) if the
// instance has no latitudes and longitudes.
void write_plan_geojson(Output& output, const Instance& instance, const Solution& solution);
void require_degrees(const Instance& instance);

}  // namespace eco::io
