#pragma once
// The options of verbs that read a user's instances: what a table (CSV) does not say itself, the
// number of vehicles, the rounding of distances.

#include "eco/verb.h"
#include "io/reader.h"

namespace eco::cli {

// --capacity, --depot, --vehicles.
void add_fleet_options(CLI::App& app, io::ReadOptions& reading);
// The same and --round.
void add_reading_options(CLI::App& app, io::ReadOptions& reading);

}  // namespace eco::cli
