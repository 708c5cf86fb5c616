#include "core/model/subproblem.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/model/features.h"

namespace eco {

bool SubProblem::build(const Instance& instance, const SubProblemInput& input,
                       const Deadline& deadline) {
  problem_ = instance.kind;
  place_tokens(instance, input);
  if (!find_neighbours(deadline)) return false;
  make_features();
  return true;
}

void SubProblem::build_reversed(const SubProblem& forward) {
  assert(forward.problem_ == ProblemKind::tsp);
  *this = forward;
  std::swap(current_, destination_);
  make_features();
}

void SubProblem::place_tokens(const Instance& instance, const SubProblemInput& input) {
  const std::size_t size = input.unvisited.size() + 2;
  unsorted_nodes_.assign(input.unvisited.begin(), input.unvisited.end());
  unsorted_nodes_.push_back(input.current);
  unsorted_nodes_.push_back(input.destination);

  unsorted_points_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    unsorted_points_[i] = instance.points[unsorted_nodes_[i].index()];
  }
  Point& end = unsorted_points_.back();
  Point low = unsorted_points_[size - 2], high = low;
  for (const Point& p : std::span(unsorted_points_).first(input.cut ? size - 1 : size)) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  end = {std::clamp(end.x, low.x, high.x), std::clamp(end.y, low.y, high.y)};
  const double side = std::max(high.x - low.x, high.y - low.y);
  const double scale = side > 0 ? 1.0 / side : 0.0;
  for (Point& p : unsorted_points_) p = {(p.x - low.x) * scale, (p.y - low.y) * scale};

  order_.resize(size);
  order_points(unsorted_points_, Ordering::morton, order_buffers_, order_);
  nodes_.resize(size);
  points_.resize(size);
  demands_.assign(size, 0);
  for (std::size_t token = 0; token < size; ++token) {
    const std::size_t from = order_[token];
    nodes_[token] = unsorted_nodes_[from];
    points_[token] = unsorted_points_[from];
    if (from == size - 2) current_ = token;
    if (from == size - 1) destination_ = token;
  }
  if (problem_ == ProblemKind::cvrp) {
    for (std::size_t token = 0; token < size; ++token) {
      demands_[token] = instance.demands[nodes_[token].index()];
    }
    demands_[current_] = 0;
    remaining_ = input.remaining;
  }
  capacity_ = instance.capacity;
  hilbert_.resize(size);
  order_points(points_, Ordering::hilbert, order_buffers_, hilbert_);
}

bool SubProblem::find_neighbours(const Deadline& deadline) {
  const std::size_t size = nodes_.size();
  if (deadline.reached()) return false;
  tree_ = NeighbourTree(points_);
  neighbours_.assign(size * kNeighbours, kNone);
  scale_.assign(size, 0.0F);
  constexpr std::size_t kTokensBetweenClockReads = 1024;
  for (std::size_t token = 0; token < size; ++token) {
    if (token % kTokensBetweenClockReads == 0 && deadline.reached()) return false;
    std::size_t count = 0;
    double sum = 0;
    for (const PointNeighbour& other :
         tree_.nearest(points_[token], kNeighbours, static_cast<std::uint32_t>(token))) {
      neighbours_[token * kNeighbours + count++] = other.index;
      sum += std::sqrt(other.squared_distance);
    }
    scale_[token] = static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
  }
  return true;
}

void SubProblem::make_features() {
  const std::size_t size = nodes_.size();
  const std::size_t width = sub_problem_feature_count(problem_);
  const double log_size = std::log(static_cast<double>(size)) / 5.0;
  const double root = std::sqrt(static_cast<double>(size));
  const Point c = points_[current_], s = points_[destination_];
  const double per_capacity = capacity_ > 0 ? 1.0 / static_cast<double>(capacity_) : 0.0;
  const double remaining = static_cast<double>(remaining_) * per_capacity;
  const auto open = std::accumulate(demands_.begin(), demands_.end(), std::int64_t{0});

  features_.resize(size * width);
  for (std::size_t token = 0; token < size; ++token) {
    float* out = features_.data() + token * width;
    const auto put = [&out](double value) { *out++ = static_cast<float>(value); };
    const Point p = points_[token];
    put(3.4 * (p.x - 0.5));
    put(3.4 * (p.y - 0.5));
    put(token == current_ ? 1 : 0);
    put(token == destination_ ? 1 : 0);
    put(log_size);
    const double mean = scale_[token];
    const double inverse = mean > 0 ? 1.0 / mean : 0.0;
    for (std::size_t k = 0; k < kNeighbours; ++k) {
      const std::uint32_t other = neighbours_[token * kNeighbours + k];
      const Point q = other == kNone ? p : points_[other];
      put((q.x - p.x) * inverse);
      put((q.y - p.y) * inverse);
      put(euclidean(p, q) * inverse);
    }
    put(std::log(root * mean + 0.01));
    const double to_c = root * euclidean(p, c), to_s = root * euclidean(p, s);
    put(2 * (p.x - c.x));
    put(2 * (p.y - c.y));
    put(2 * (p.x - s.x));
    put(2 * (p.y - s.y));
    put(std::log(to_c + 0.1));
    put(std::log(to_s + 0.1));
    put(std::exp(-to_c));
    put(std::exp(-to_s));
    if (problem_ == ProblemKind::cvrp) {
      const double demand = static_cast<double>(demands_[token]) * per_capacity;
      put(demand);
      put(demand <= 2 * remaining && remaining > 0 ? demand / remaining : (demand > 0 ? 2 : 0));
      put(remaining);
      put(std::log1p(static_cast<double>(open) * per_capacity) / 3.0);
    }
    assert(out == features_.data() + (token + 1) * width);
  }
}

}  // namespace eco
