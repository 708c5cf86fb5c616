#pragma once
// Instances that search must survive: uniform, clustered, many equal points, on a line, on a grid,
// and the other metrics; all from a seed.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/instance.h"

namespace eco::testing {

inline constexpr std::uint64_t kShapes = 9;

inline Instance tsp_instance(std::size_t nodes, std::uint64_t shape, std::uint64_t seed) {
  Rng rng(seed, shape);
  Instance instance;
  for (std::size_t i = 0; i < nodes; ++i) {
    Point p{rng.uniform(), rng.uniform()};
    switch (shape % kShapes) {
      case 1:  // four clusters of very different density
        p = {std::floor(4 * p.x) + std::pow(0.1, 1 + rng.below(4)) * rng.normal(), p.y * 0.01};
        break;
      case 2:  // many equal points
        p = {std::floor(3 * p.x), std::floor(3 * p.y)};
        break;
      case 3:  // all equal
        p = {5, 7};
        break;
      case 4:  // on a line
        p = {p.x, 2 * p.x};
        break;
      case 5:  // TSPLIB integers
        p = {std::floor(1000 * p.x), std::floor(1000 * p.y)};
        instance.rounding = Rounding::nint;
        break;
      case 6:
        p = {std::floor(1000 * p.x), std::floor(1000 * p.y)};
        instance.metric = Metric::att;
        break;
      case 7:  // degrees and minutes
        p = {std::floor(60 * p.x), std::floor(120 * p.y)};
        instance.metric = Metric::geo;
        break;
      case 8:  // a city in decimal degrees
        instance.places.emplace_back(44 + 0.06 * p.x, -3 + 0.09 * p.y);
        instance.metric = Metric::great_circle;
        break;
      default:
        break;
    }
    instance.points.push_back(p);
  }
  if (!instance.places.empty()) set_places(instance, std::move(instance.places));
  return instance;
}

// Symmetric, no triangle inequality.
inline Instance random_matrix(std::size_t nodes, std::uint64_t seed) {
  Rng rng(seed, 99);
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix.assign(nodes * nodes, 0);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      instance.matrix[i * nodes + j] = instance.matrix[j * nodes + i] = rng.uniform();
    }
  }
  return instance;
}

inline Solution random_tour(std::size_t nodes, std::uint64_t seed) {
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  Rng rng(seed, 7);
  rng.shuffle(std::span(order));
  Solution tour;
  for (const std::uint32_t node : order) tour.sequence.emplace_back(node);
  return tour;
}

}  // namespace eco::testing
