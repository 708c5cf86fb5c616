#pragma once
// Places on the earth in decimal degrees, as maps and GPS give them (TSPLIB's GEO is something
// else: degrees and minutes on a sphere of its own). Distances are great circles in metres on a
// sphere of the earth's mean radius, at most 0.6% from those on the ellipsoid.

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/instance/metric.h"

namespace eco {

inline constexpr double kMeanEarthRadius = 6'371'008.8;  // metres, the mean of IUGG

struct Place {
  Place() : Place(0, 0) {}
  Place(double latitude_degrees, double longitude_degrees);

  double latitude, longitude;  // degrees; north and east are positive
  double x, y, z;  // the same on the unit sphere, so that a distance needs no sine of an angle
  friend bool operator==(const Place&, const Place&) = default;
};

// Metres. By the chord, which is exact where places are close, unlike the cosine of the angle.
[[nodiscard]] inline double great_circle(const Place& a, const Place& b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  const double half_chord = 0.5 * std::sqrt(dx * dx + dy * dy + dz * dz);
  return 2 * kMeanEarthRadius * std::asin(half_chord < 1 ? half_chord : 1.0);
}

// What is wrong with the degrees; empty if nothing is.
[[nodiscard]] std::string place_violation(const Place& place);

// A plane map around the middle of the places: metres to the east and to the north, true along
// its middle latitude. Longitudes are cut where nothing lies, so that a set across the date line
// stays together.
[[nodiscard]] std::vector<Point> local_projection(std::span<const Place> places);

}  // namespace eco
