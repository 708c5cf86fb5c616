#include "core/instance/place.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <string_view>

namespace eco {

namespace {

constexpr double kRadians = std::numbers::pi / 180;

std::string outside(std::string_view name, double value, int most) {
  if (std::fabs(value) <= most) return "";  // not true of NaN
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  const std::string limit = std::to_string(most);
  return std::string(name) + " " + std::string(text.data(), end) + " is outside -" + limit +
         " to " + limit + " degrees";
}

// The longitude at which the map begins: the eastern end of the widest gap between places.
double western_end(std::span<const Place> places) {
  std::vector<double> longitudes;
  longitudes.reserve(places.size());
  for (const Place& p : places) longitudes.push_back(p.longitude);
  std::sort(longitudes.begin(), longitudes.end());
  double widest = longitudes.front() + 360 - longitudes.back(), end = longitudes.front();
  for (std::size_t i = 1; i < longitudes.size(); ++i) {
    const double gap = longitudes[i] - longitudes[i - 1];
    if (gap <= widest) continue;
    widest = gap;
    end = longitudes[i];
  }
  return end;
}

}  // namespace

Place::Place(double latitude_degrees, double longitude_degrees)
    : latitude(latitude_degrees),
      longitude(longitude_degrees),
      x(std::cos(latitude * kRadians) * std::cos(longitude * kRadians)),
      y(std::cos(latitude * kRadians) * std::sin(longitude * kRadians)),
      z(std::sin(latitude * kRadians)) {}

std::string place_violation(const Place& place) {
  const std::string latitude = outside("latitude", place.latitude, 90);
  return latitude.empty() ? outside("longitude", place.longitude, 180) : latitude;
}

std::vector<Point> local_projection(std::span<const Place> places) {
  std::vector<Point> points;
  if (places.empty()) return points;
  points.reserve(places.size());
  const double west = western_end(places);
  double south = places[0].latitude, north = south, width = 0;
  for (const Place& p : places) {
    south = std::min(south, p.latitude);
    north = std::max(north, p.latitude);
    points.push_back(
        {p.longitude < west ? p.longitude - west + 360 : p.longitude - west, p.latitude});
    width = std::max(width, points.back().x);
  }
  const double metres = kMeanEarthRadius * kRadians, middle = (south + north) / 2;
  const double shrink = std::cos(middle * kRadians);
  for (Point& p : points) p = {(p.x - width / 2) * metres * shrink, (p.y - middle) * metres};
  return points;
}

}  // namespace eco
