#pragma once
// Distance functions for inner loops: the metric is looked at once, then every call is inlined.
//
//   with_distance(instance, [&](auto distance) { ... distance(i, j) ... });   // i, j: size_t

#include <cstddef>
#include <utility>

#include "core/instance/instance.h"

namespace eco {

template <Rounding rounding>
struct EuclideanDistance {
  const Point* points;
  double operator()(std::size_t i, std::size_t j) const {
    return rounded<rounding>(euclidean(points[i], points[j]));
  }
};

struct AttDistance {
  const Point* points;
  double operator()(std::size_t i, std::size_t j) const {
    return att_distance(points[i], points[j]);
  }
};

struct GeoDistance {
  const Point* points;
  double operator()(std::size_t i, std::size_t j) const {
    return i == j ? 0.0 : geo_distance(points[i], points[j]);
  }
};

struct GreatCircleDistance {
  const Place* places;
  double operator()(std::size_t i, std::size_t j) const {
    return great_circle(places[i], places[j]);
  }
};

struct MatrixDistance {
  const double* matrix;
  std::size_t nodes;
  double operator()(std::size_t i, std::size_t j) const { return matrix[i * nodes + j]; }
};

template <class Body>
decltype(auto) with_distance(const Instance& instance, Body&& body) {
  const Point* points = instance.points.data();
  switch (instance.metric) {
    case Metric::att:
      return std::forward<Body>(body)(AttDistance{points});
    case Metric::geo:
      return std::forward<Body>(body)(GeoDistance{points});
    case Metric::matrix:
      return std::forward<Body>(body)(MatrixDistance{instance.matrix.data(), instance.size()});
    case Metric::great_circle:
      return std::forward<Body>(body)(GreatCircleDistance{instance.places.data()});
    case Metric::euclidean:
      break;
  }
  switch (instance.rounding) {
    case Rounding::nint:
      return std::forward<Body>(body)(EuclideanDistance<Rounding::nint>{points});
    case Rounding::ceil:
      return std::forward<Body>(body)(EuclideanDistance<Rounding::ceil>{points});
    case Rounding::trunc:
      return std::forward<Body>(body)(EuclideanDistance<Rounding::trunc>{points});
    case Rounding::dimacs:
      return std::forward<Body>(body)(EuclideanDistance<Rounding::dimacs>{points});
    case Rounding::none:
      break;
  }
  return std::forward<Body>(body)(EuclideanDistance<Rounding::none>{points});
}

}  // namespace eco
