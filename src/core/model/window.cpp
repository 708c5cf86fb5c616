#include "core/model/window.h"

#include <algorithm>
#include <tuple>

namespace eco {

std::vector<NodeId> window_of(const Instance& instance, NodeId center, std::span<const NodeId> open,
                              std::size_t count, std::span<const NodeId> kept) {
  struct Place {
    bool free;  // not one of `kept`
    double squared_distance;
    NodeId node;
    bool operator<(const Place& other) const {
      return std::tie(free, squared_distance, node) <
             std::tie(other.free, other.squared_distance, other.node);
    }
  };
  const Point from = instance.points[center.index()];
  std::vector<Place> places;
  places.reserve(open.size());
  for (const NodeId node : open) {
    const Point& p = instance.points[node.index()];
    const double dx = p.x - from.x, dy = p.y - from.y;
    const bool free = std::find(kept.begin(), kept.end(), node) == kept.end();
    places.push_back({free, dx * dx + dy * dy, node});
  }
  if (count < places.size()) {
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count),
                     places.end());
    places.resize(count);
  }
  std::vector<NodeId> window;
  window.reserve(places.size());
  for (const Place& place : places) window.push_back(place.node);
  std::sort(window.begin(), window.end());
  return window;
}

}  // namespace eco
