#include "core/model/instance_tokens.h"

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
