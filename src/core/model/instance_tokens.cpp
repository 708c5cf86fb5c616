#include "core/model/instance_tokens.h"

#include <algorithm>

namespace eco {

namespace {

// The bounding box shifted to the origin and scaled by its larger side.
std::vector<Point> in_unit_square(std::span<const Point> points) {
  Point low = points[0], high = low;
  for (const Point& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double side = std::max(high.x - low.x, high.y - low.y);
  const double scale = side > 0 ? 1.0 / side : 0.0;
  std::vector<Point> result;
  result.reserve(points.size());
  for (const Point& p : points) result.push_back({(p.x - low.x) * scale, (p.y - low.y) * scale});
  return result;
}

}  // namespace

InstanceTokens instance_tokens(const ModelConfig& config, const Instance& instance) {
  const std::vector<Point> points = in_unit_square(instance.points);
  InstanceTokens tokens;
  tokens.order = canonical_order(instance, config.ordering);
  tokens.features.reserve(points.size() * config.token_features());
  for (const NodeId node : tokens.order) {
    const Point& p = points[node.index()];
    tokens.features.push_back(static_cast<float>(p.x));
    tokens.features.push_back(static_cast<float>(p.y));
    if (instance.has_depot()) {
      const auto demand = static_cast<double>(instance.demands[node.index()]);
      tokens.features.push_back(
          static_cast<float>(demand / static_cast<double>(instance.capacity)));
      tokens.features.push_back(node == kDepot ? 1.0F : 0.0F);
    }
  }
  return tokens;
}

}  // namespace eco
