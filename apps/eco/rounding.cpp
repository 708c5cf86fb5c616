#include "eco/rounding.h"

#include <algorithm>

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

void warn_if_rounding_erases(const Session& session, const Instance& instance) {
  if (instance.metric != Metric::euclidean || instance.rounding == Rounding::none) return;
  Point low = instance.points[0], high = low;
  for (const Point& p : instance.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double unit = instance.rounding == Rounding::dimacs ? 0.1 : 1;
  const double widest = euclidean(low, high);
  if (widest == 0 || widest >= 2 * unit) return;
  session.log(LogLevel::warn,
              "{}: all points lie within {:.3g} of each other and distances are rounded ('{}'), so "
              "nearly all are equal; --round none takes them as they are",
              instance.name.empty() ? "the instance" : instance.name, widest,
              to_string(instance.rounding));
}

}  // namespace eco::cli
