#include "core/instance/place.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/rng.h"

namespace eco {
namespace {

// The haversine formula, in extended precision.
double haversine(const Place& a, const Place& b) {
  const auto radians = [](double degrees) {
    return static_cast<long double>(degrees) * std::numbers::pi_v<long double> / 180;
  };
  const long double latitude = std::sin((radians(b.latitude) - radians(a.latitude)) / 2);
  const long double longitude = std::sin((radians(b.longitude) - radians(a.longitude)) / 2);
  const long double square = latitude * latitude + std::cos(radians(a.latitude)) *
                                                       std::cos(radians(b.latitude)) * longitude *
                                                       longitude;
  return static_cast<double>(2 * kMeanEarthRadius * std::asin(std::sqrt(square)));
}

Place random_place(Rng& rng) {
  return {rng.uniform(-90, 90), rng.uniform(-180, 180)};
}

TEST(Place, GreatCirclesAgreeWithTheHaversineFormula) {
  Rng rng(3);
  for (int round = 0; round < 10'000; ++round) {
    const Place a = random_place(rng);
    Place b = random_place(rng);
    // Far apart, and as close as two doors of a street.
    if (round % 2 == 0) b = {a.latitude * (1 - 1e-7), a.longitude + 1e-4 * rng.uniform()};
    EXPECT_NEAR(great_circle(a, b), haversine(a, b), 1e-6 + 1e-9 * haversine(a, b));
  }
}

TEST(Place, KnowsWhatAQuarterOfTheEarthMeasures) {
  const double quarter = std::numbers::pi / 2 * kMeanEarthRadius;
  EXPECT_NEAR(great_circle({0, 0}, {90, 55}), quarter, 1e-6);
  EXPECT_NEAR(great_circle({0, -135}, {0, 135}), quarter, 1e-6);
  // At the other end of the earth the chord hardly changes with the distance.
  EXPECT_NEAR(great_circle({0, 10}, {0, -170}), 2 * quarter, 1);
  EXPECT_EQ(great_circle({48.85, 2.35}, {48.85, 2.35}), 0);
  // Paris to London, about 344 km.
  EXPECT_NEAR(great_circle({48.8566, 2.3522}, {51.5074, -0.1278}), 343'557, 100);
}

TEST(Place, MapOfACityKeepsItsDistances) {
  Rng rng(5);
  for (const double middle : {0.0, 48.0, -33.0, 65.0}) {
    for (const double longitude : {7.0, 179.95, -179.95}) {
      std::vector<Place> city;
      for (int i = 0; i < 50; ++i) {
        double east = longitude + rng.uniform(-0.1, 0.1);
        if (east > 180) east -= 360;  // across the date line
        if (east < -180) east += 360;
        city.emplace_back(middle + rng.uniform(-0.1, 0.1), east);
      }
      const std::vector<Point> map = local_projection(city);
      for (std::size_t i = 1; i < city.size(); ++i) {
        const double true_distance = great_circle(city[0], city[i]);
        EXPECT_NEAR(euclidean(map[0], map[i]), true_distance, 0.01 * true_distance);
      }
    }
  }
}

TEST(Place, MapHasNorthUpAndEastToTheRight) {
  const std::vector<Place> places{{10, 20}, {11, 20}, {10, 21}};
  const std::vector<Point> map = local_projection(places);
  EXPECT_GT(map[1].y, map[0].y);
  EXPECT_EQ(map[1].x, map[0].x);
  EXPECT_GT(map[2].x, map[0].x);
  EXPECT_EQ(map[2].y, map[0].y);
}

TEST(Place, DegreesThatDoNotExistAreNamed) {
  EXPECT_EQ(place_violation({90, -180}), "");
  EXPECT_EQ(place_violation({90.5, 0}), "latitude 90.5 is outside -90 to 90 degrees");
  EXPECT_EQ(place_violation({0, 181}), "longitude 181 is outside -180 to 180 degrees");
  EXPECT_EQ(place_violation({std::nan(""), 0}), "latitude nan is outside -90 to 90 degrees");
}

}  // namespace
}  // namespace eco
