#include "core/instance/embedding.h"

#include <cassert>
#include <cmath>

#include "core/base/rng.h"

namespace eco {

namespace {

// Both directions averaged. Floats: a plane does not hold more digits.
class Dissimilarities {
 public:
  explicit Dissimilarities(const Instance& instance) : nodes_(instance.size()) {
    values_.resize(nodes_ * nodes_);
    for (std::size_t i = 0; i < nodes_; ++i) {
      for (std::size_t j = 0; j < nodes_; ++j) {
        const double both = instance.matrix[i * nodes_ + j] + instance.matrix[j * nodes_ + i];
        values_[i * nodes_ + j] = static_cast<float>(both / 2);
      }
    }
  }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * nodes_ + j]; }

 private:
  std::size_t nodes_;
  std::vector<float> values_;
};

using Axis = std::vector<double>;

double dot(const Axis& a, const Axis& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void centre(Axis& axis) {
  double mean = 0;
  for (const double value : axis) mean += value;
  mean /= static_cast<double>(axis.size());
  for (double& value : axis) value -= mean;
}

void normalise(Axis& axis) {
  const double length = std::sqrt(dot(axis, axis));
  for (double& value : axis) value = length > 0 ? value / length : 0;
}

// -1/2 J D J axis, where D holds the squares and J centres.
Axis times_gram(const Dissimilarities& distance, Axis axis) {
  centre(axis);
  Axis result(axis.size(), 0.0);
  for (std::size_t i = 0; i < axis.size(); ++i) {
    for (std::size_t j = 0; j < axis.size(); ++j) {
      result[i] -= 0.5 * distance(i, j) * distance(i, j) * axis[j];
    }
  }
  centre(result);
  return result;
}

// Makes both of length 1 and the second one orthogonal to the first.
void orthonormalise(Axis& first, Axis& second) {
  normalise(first);
  const double shared = dot(second, first);
  for (std::size_t i = 0; i < first.size(); ++i) second[i] -= shared * first[i];
  normalise(second);
}

// The plane of the first two principal axes of the distances, by power iteration. In it the points
// follow from the Gram matrix [[a, b], [b, c]] by Cholesky; negative values have no place in it.
std::vector<Point> classical_scaling(const Dissimilarities& distance) {
  constexpr int kSteps = 30;
  const std::size_t nodes = distance.nodes();
  Rng rng(1);
  Axis first(nodes), second(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    first[i] = rng.uniform(-1, 1);
    second[i] = rng.uniform(-1, 1);
  }
  for (int step = 0; step < kSteps; ++step) {
    orthonormalise(first, second);
    first = times_gram(distance, first);
    second = times_gram(distance, second);
  }
  orthonormalise(first, second);
  const Axis image = times_gram(distance, first);
  const double a = std::fabs(dot(first, image)), b = dot(second, image);
  const double c = std::fabs(dot(second, times_gram(distance, second)));
  const double x = std::sqrt(a), y = x > 0 ? b / x : 0;
  const double z = std::sqrt(std::fabs(c - y * y));
  std::vector<Point> points;
  points.reserve(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    points.push_back({first[i] * x + second[i] * y, second[i] * z});
  }
  return points;
}

// One step of majorisation: it never raises the sum of squared errors.
std::vector<Point> majorised(const Dissimilarities& distance, const std::vector<Point>& points) {
  const std::size_t nodes = points.size();
  std::vector<Point> next(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    Point sum;
    for (std::size_t j = 0; j < nodes; ++j) {
      const double here = euclidean(points[i], points[j]);
      if (here <= 0) continue;
      const double ratio = distance(i, j) / here;
      sum.x += ratio * (points[i].x - points[j].x);
      sum.y += ratio * (points[i].y - points[j].y);
    }
    const auto count = static_cast<double>(nodes);
    next[i] = {sum.x / count, sum.y / count};
  }
  return next;
}

double distortion_of(const Dissimilarities& distance, const std::vector<Point>& points) {
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      error += std::fabs(euclidean(points[i], points[j]) - distance(i, j));
      whole += distance(i, j);
    }
  }
  return whole > 0 ? error / whole : 0;
}

}  // namespace

Embedding embed(const Instance& instance) {
  assert(instance.metric == Metric::matrix);
  constexpr int kSteps = 60;
  const Dissimilarities distance(instance);
  Embedding result;
  result.points = classical_scaling(distance);
  for (int step = 0; step < kSteps; ++step) result.points = majorised(distance, result.points);
  result.distortion = distortion_of(distance, result.points);
  return result;
}

}  // namespace eco
