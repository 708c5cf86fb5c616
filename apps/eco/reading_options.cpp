#include "eco/reading_options.h"

#include "eco/options.h"
#include "eco/rounding.h"
#include "io/scanner.h"

namespace eco::cli {

void add_fleet_options(CLI::App& app, io::ReadOptions& reading) {
  add_count(app, "--capacity", reading.capacity, {1, static_cast<std::uint64_t>(io::kMaxQuantity)},
            "Of a vehicle, for a table (CSV) with a column for the demand");
  app.add_option("--depot", reading.depot,
                 "Of a table: an id, a row from 1, or coordinates X,Y or LAT,LON [the row called "
                 "depot, else the first]")
      ->type_name("ID|ROW|X,Y");
  add_count(app, "--vehicles", reading.vehicles, {1, kMaxNodes},
            "At most so many routes [as the file says, else as many as it takes]");
}

void add_reading_options(CLI::App& app, io::ReadOptions& reading) {
  add_rounding_option(app, reading);
  add_fleet_options(app, reading);
}

}  // namespace eco::cli
