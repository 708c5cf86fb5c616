#include "core/model/instance_tokens.h"

#include <cmath>

#include "core/geometry/box.h"

namespace eco {

namespace {

// The bounding box shifted to the origin and scaled by its larger side.
std::vector<Point> in_unit_square(std::span<const Point> points) {
  const Box box = bounding_box(points);
  const Point low = box.low;
  const double scale = box.side() > 0 ? 1.0 / box.side() : 0.0;
  std::vector<Point> result;
  result.reserve(points.size());
  for (const Point& p : points) result.push_back({(p.x - low.x) * scale, (p.y - low.y) * scale});
  return result;
}

// Networks of others were trained on the unit square as it is, not on the box of the points. What
// fills most of one (or of its mirror image, whose corners are whole numbers too) is such a square.
std::vector<Point> in_given_square(std::span<const Point> points) {
  const Box box = bounding_box(points);
  const Point corner{std::floor(box.low.x), std::floor(box.low.y)};
  const bool fills = box.side() >= 0.5 && box.high.x <= corner.x + 1 && box.high.y <= corner.y + 1;
  if (!fills) return in_unit_square(points);
  std::vector<Point> result;
  result.reserve(points.size());
  for (const Point& p : points) result.push_back({p.x - corner.x, p.y - corner.y});
  return result;
}

}  // namespace

InstanceTokens instance_tokens(const ModelConfig& config, const Instance& instance) {
  const std::vector<Point> points =
      config.given_square() ? in_given_square(instance.points) : in_unit_square(instance.points);
  InstanceTokens tokens;
  tokens.order = canonical_order(instance, config.ordering);
  tokens.features.reserve(points.size() * config.token_features());
  for (const NodeId node : tokens.order) {
    const Point& p = points[node.index()];
    const auto x = static_cast<float>(p.x), y = static_cast<float>(p.y);
    const bool depot = instance.has_depot() && node == kDepot;
    // AM and POMO embed the depot by weights of its own: features that no customer has.
    const auto none = depot && config.glimpse() ? 0.0F : 1.0F;
    tokens.features.insert(tokens.features.end(), {none * x, none * y});
    if (!instance.has_depot()) continue;
    const auto demand = static_cast<double>(instance.demands[node.index()]);
    tokens.features.push_back(static_cast<float>(demand / static_cast<double>(instance.capacity)));
    if (config.heavy()) continue;  // its decoder is told which node the depot is
    tokens.features.push_back(depot ? 1.0F : 0.0F);
    if (config.glimpse()) {
      tokens.features.insert(tokens.features.end(), {depot ? x : 0.0F, depot ? y : 0.0F});
    }
  }
  return tokens;
}

}  // namespace eco
