#include "eco/rounding.h"

#include "eco/options.h"

namespace eco::cli {

void add_rounding_option(CLI::App& app, io::ReadOptions& reading) {
  add_choice(app, "--round", reading.rounding, rounding_from,
             {"none", "nint", "ceil", "trunc", "dimacs"},
             "Rounding of distances, where the format's convention is not meant");
}

void warn_if_rounding_is_lost(const Session& session, Rounding rounding, const std::string& out) {
  const bool lines = out.ends_with(".txt") || out.ends_with(".txt.gz");
  if (rounding == Rounding::none || !lines) return;
  session.log(LogLevel::warn,
              "{}: line formats state no rounding; distances rounded by '{}' will be read back as "
              "exact. Use .json to keep it",
              out, to_string(rounding));
}

}  // namespace eco::cli
