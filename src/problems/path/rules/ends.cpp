#include "problems/path/rules/ends.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/instance/distance.h"

namespace eco::path {

std::optional<Edge> given_ends(const Instance& instance) {
  if (!instance.start && !instance.end) return std::nullopt;
  return Edge{instance.start.value_or(*(instance.start ? instance.start : instance.end)),
              instance.end.value_or(*(instance.end ? instance.end : instance.start))};
}

void cut_open(const Instance& instance, Solution& tour) {
  cut_open(instance, tour, {});
}

void cut_open(const Instance& instance, Solution& tour, std::span<const Edge> kept) {
  auto& nodes = tour.sequence;
  const std::size_t count = nodes.size();
  if (count < 2) return;
  const auto given = given_ends(instance);
  using Pair = std::pair<NodeId, NodeId>;
  std::vector<Pair> never;
  never.reserve(2 * kept.size());
  for (const Edge& edge : kept) {
    never.emplace_back(edge.a, edge.b);
    never.emplace_back(edge.b, edge.a);
  }
  std::sort(never.begin(), never.end());
  // Place i stands for the edge from node i to the one behind it.
  const auto may_cut = [&](std::size_t place) {
    const NodeId a = nodes[place], b = nodes[(place + 1) % count];
    if (std::binary_search(never.begin(), never.end(), Pair(a, b))) return false;
    if (!given) return true;
    if (given->a == given->b) return a == given->a || b == given->a;
    return (a == given->a && b == given->b) || (a == given->b && b == given->a);
  };
  std::optional<std::size_t> cut;
  with_distance(instance, [&](auto distance) {
    double longest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!may_cut(i)) continue;
      const double length = distance(nodes[i].index(), nodes[(i + 1) % count].index());
      if (cut && length <= longest) continue;
      cut = i;
      longest = length;
    }
  });
  if (!cut) throw Error(ErrorKind::input, "the forced edges leave no place for the ends of a path");
  std::rotate(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>((*cut + 1) % count),
              nodes.end());
  const bool wrong_way = (instance.start && nodes.front() != *instance.start) ||
                         (instance.end && nodes.back() != *instance.end);
  if (wrong_way) std::reverse(nodes.begin(), nodes.end());
}

}  // namespace eco::path
