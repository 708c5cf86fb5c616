#include "core/infer/route_value.h"

#include <algorithm>
#include <cmath>

namespace eco {

namespace {

// In nats: an empty vehicle that could have been spared; a route to the farthest customers instead
// of one at the depot; a route that costs nothing instead of what its customers should cost.
constexpr double kLostRoom = 4, kFarFirst = 0.4, kCheap = 0.5;
// A step from customer to customer, where 1 is the side of the square that each has to itself.
constexpr double kStep = 0.5;

}  // namespace

RouteValue::RouteValue(const Instance& instance) : instance_(instance) {
  if (instance.kind != ProblemKind::cvrp || !instance.has_points()) return;
  Point low = instance.points[0], high = low;
  for (const Point& p : instance.points) {
    farthest_ = std::max(farthest_, euclidean(instance.points[0], p));
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const auto nodes = static_cast<double>(instance.size());
  step_ = kStep * std::sqrt((high.x - low.x) * (high.y - low.y) / nodes);
}

double RouteValue::operator()(std::span<const NodeId> route, double confidence, double lost_room,
                              bool complete) const {
  double value = confidence;
  if (complete) value -= kLostRoom * lost_room;
  if (route.empty() || farthest_ == 0) return value;
  const Point& depot = instance_.points[0];
  const Point* last = &instance_.points[route.front().index()];
  double length = 0, reach = 0, load = 0;
  double due = 0;  // a customer's share of the way out and back, by demand, and a step
  for (const NodeId node : route) {
    const Point& p = instance_.points[node.index()];
    length += euclidean(*last, p);
    last = &p;
    const double far = euclidean(depot, p);
    const double share = static_cast<double>(instance_.demands[node.index()]) /
                         static_cast<double>(instance_.capacity);
    reach += far;
    load += share;
    due += 2 * share * far + step_;
  }
  const double legs =
      euclidean(depot, instance_.points[route.front().index()]) + euclidean(depot, *last);
  // Those who are still to come pay for their part of the legs.
  length += complete ? legs : legs * load;
  value += kFarFirst * reach / (farthest_ * static_cast<double>(route.size()));
  if (due > 0) value += kCheap * (1 - length / due);
  return value;
}

}  // namespace eco
