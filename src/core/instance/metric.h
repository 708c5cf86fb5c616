#pragma once
// Distances as the field's files define them. A metric gives a real number; the rounding turns it
// into what is summed. ATT and GEO have their rounding built in (TSPLIB95, section 2).

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace eco {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// geo is TSPLIB's, great_circle that of decimal degrees (place.h).
enum class Metric : std::uint8_t { euclidean, att, geo, matrix, great_circle };

// nint: TSPLIB EUC_2D; ceil: CEIL_2D; trunc: FLOOR_2D; dimacs: tenths, truncated; none: exact.
enum class Rounding : std::uint8_t { none, nint, ceil, trunc, dimacs };

[[nodiscard]] std::string_view to_string(Metric metric);
// What is done to distances, for results: "nint", and "built in" where the metric itself rounds.
[[nodiscard]] std::string_view rounding_name(Metric metric, Rounding rounding);
// "euclidean, rounding nint", "geo, rounding built in", "matrix", "great-circle, metres".
[[nodiscard]] std::string metric_text(Metric metric, Rounding rounding);
[[nodiscard]] std::string_view to_string(Rounding rounding);
[[nodiscard]] std::optional<Rounding> rounding_from(std::string_view name);

[[nodiscard]] inline double euclidean(const Point& a, const Point& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}
[[nodiscard]] double att_distance(const Point& a, const Point& b);
// x is the latitude, y the longitude, both DDD.MM: degrees, and minutes behind the point.
[[nodiscard]] double geo_distance(const Point& a, const Point& b);
// What is wrong with a point as latitude and longitude; empty if nothing is.
[[nodiscard]] std::string geo_violation(const Point& point);

template <Rounding rounding>
[[nodiscard]] inline double rounded(double value) {
  if constexpr (rounding == Rounding::nint) return std::floor(value + 0.5);
  if constexpr (rounding == Rounding::ceil) return std::ceil(value);
  if constexpr (rounding == Rounding::trunc) return std::floor(value);
  if constexpr (rounding == Rounding::dimacs) return std::floor(10.0 * value) / 10.0;
  return value;
}
[[nodiscard]] double rounded(double value, Rounding rounding);

}  // namespace eco
