#pragma once
// A request in the form of VROOM (jobs, vehicles, matrices; coordinates are [longitude, latitude]):
// one fleet of equal vehicles that deliver to, or collect from, every job. What else such a
// request can ask for is refused by its name, never left out.

#include "core/instance/instance.h"
#include "io/json/value.h"

namespace eco::io {

// True of an object with vehicles or matrices in VROOM's form and no key of our own.
[[nodiscard]] bool is_vroom(const JsonValue& root);

// Ids of jobs become labels, the depot gets a number that no job has. A route that has no end (or
// no start), or ends elsewhere, is a matrix in which the way to the depot is that to the end, or 0.
// One vehicle without a capacity is a TSP, or an open path where great circles are enough. Throws
// eco::Error (input) with the place.
[[nodiscard]] Instance read_vroom(const JsonValue& root);

}  // namespace eco::io
