#include "core/instance/metric.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace eco {

namespace {

constexpr std::array<std::pair<Rounding, std::string_view>, 5> kRoundings{{
    {Rounding::none, "none"},
    {Rounding::nint, "nint"},
    {Rounding::ceil, "ceil"},
    {Rounding::trunc, "trunc"},
    {Rounding::dimacs, "dimacs"},
}};

// TSPLIB's own constant; a better pi would give other integers than the published optima.
constexpr double kTsplibPi = 3.141592;

double geo_radians(double coordinate) {
  const double degrees = std::trunc(coordinate);
  const double minutes = coordinate - degrees;
  return kTsplibPi * (degrees + 5.0 * minutes / 3.0) / 180.0;
}

std::string degree_violation(std::string_view name, double value, int most) {
  constexpr double kMinutes = 60 - 1e-6;  // 10.60 means 60 minutes and is stored as a little less
  const bool in_range = std::fabs(value) <= most;
  const bool in_minutes = 100 * std::fabs(value - std::trunc(value)) < kMinutes;
  if (in_range && in_minutes) return "";
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  const std::string limit = std::to_string(most);
  return std::string(name) + " " + std::string(text.data(), end) +
         (in_range ? " has 60 or more minutes behind the point (DDD.MM: degrees and minutes)"
                   : " is outside -" + limit + " to " + limit + " degrees");
}

}  // namespace

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::euclidean:
      return "euclidean";
    case Metric::att:
      return "att";
    case Metric::geo:
      return "geo";
    case Metric::matrix:
      return "matrix";
    case Metric::great_circle:
      return "great-circle";
  }
  return "?";
}

std::string_view rounding_name(Metric metric, Rounding rounding) {
  return metric == Metric::att || metric == Metric::geo ? "built in" : to_string(rounding);
}

std::string metric_text(Metric metric, Rounding rounding) {
  std::string text(to_string(metric));
  if (metric == Metric::great_circle) return text + ", metres";
  if (metric != Metric::matrix)
    text += ", rounding " + std::string(rounding_name(metric, rounding));
  return text;
}

std::string_view to_string(Rounding rounding) {
  for (const auto& [value, name] : kRoundings) {
    if (value == rounding) return name;
  }
  return "?";
}

std::optional<Rounding> rounding_from(std::string_view name) {
  for (const auto& [value, known] : kRoundings) {
    if (known == name) return value;
  }
  return std::nullopt;
}

double att_distance(const Point& a, const Point& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  const double real = std::sqrt((dx * dx + dy * dy) / 10.0);
  const double nearest = std::floor(real + 0.5);
  return nearest < real ? nearest + 1.0 : nearest;
}

double geo_distance(const Point& a, const Point& b) {
  const double latitude_a = geo_radians(a.x), longitude_a = geo_radians(a.y);
  const double latitude_b = geo_radians(b.x), longitude_b = geo_radians(b.y);
  const double q1 = std::cos(longitude_a - longitude_b);
  const double q2 = std::cos(latitude_a - latitude_b);
  const double q3 = std::cos(latitude_a + latitude_b);
  constexpr double kEarthRadius = 6378.388;
  // Rounding can carry the cosine of nearly equal or opposite points past 1, where acos is NaN.
  const double cosine = std::clamp(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0);
  return std::floor(kEarthRadius * std::acos(cosine) + 1.0);
}

std::string geo_violation(const Point& point) {
  const std::string latitude = degree_violation("latitude", point.x, 90);
  return latitude.empty() ? degree_violation("longitude", point.y, 180) : latitude;
}

double rounded(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::nint:
      return rounded<Rounding::nint>(value);
    case Rounding::ceil:
      return rounded<Rounding::ceil>(value);
    case Rounding::trunc:
      return rounded<Rounding::trunc>(value);
    case Rounding::dimacs:
      return rounded<Rounding::dimacs>(value);
    case Rounding::none:
      break;
  }
  return value;
}

}  // namespace eco
