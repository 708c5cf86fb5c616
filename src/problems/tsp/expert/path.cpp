#include "problems/tsp/expert/path.h"

#include <algorithm>
#include <cassert>

#include "core/instance/part.h"

namespace eco {

std::vector<NodeId> solve_path(const Instance& instance, NodeId from,
                               std::span<const NodeId> through, NodeId to,
                               const IlsOptions& options) {
  if (through.size() < 2) return {through.begin(), through.end()};
  std::vector<std::uint32_t> nodes;
  nodes.reserve(through.size() + 2);
  const auto add = [&](NodeId node) { nodes.push_back(static_cast<std::uint32_t>(node.index())); };
  add(from);
  std::for_each(through.begin(), through.end(), add);
  if (to != from) add(to);

  // A tour that goes straight home is the path and that edge.
  const NodeId last(nodes.size() - 1);
  const Edge home{NodeId(0), last};
  IlsOptions search = options;
  search.forced = {&home, to != from ? 1U : 0U};
  search.start = nullptr;
  std::vector<NodeId> order = solve_tsp(part_of(instance, nodes), search).sequence;
  std::rotate(order.begin(), std::find(order.begin(), order.end(), NodeId(0)), order.end());
  if (to != from) {
    if (order[1] == last) std::reverse(order.begin() + 1, order.end());
    assert(order.back() == last);
    order.pop_back();
  }
  order.erase(order.begin());
  for (NodeId& node : order) node = NodeId(nodes[node.index()]);
  return order;
}

}  // namespace eco
