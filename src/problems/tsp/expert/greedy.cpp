#include "problems/tsp/expert/greedy.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

#include "core/instance/part.h"
#include "core/search/in_order.h"
#include "core/search/node_distance.h"

namespace eco {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct CandidateEdge {
  double length;
  std::uint32_t from, to;
  bool operator<(const CandidateEdge& other) const {
    if (length != other.length) return length < other.length;
    return from != other.from ? from < other.from : to < other.to;
  }
};

// Disjoint paths that together hold all nodes.
class Paths {
 public:
  explicit Paths(std::size_t nodes) : beside_(nodes, {kNone, kNone}), other_end_(nodes) {
    std::iota(other_end_.begin(), other_end_.end(), 0U);
  }

  [[nodiscard]] bool is_end(std::uint32_t node) const { return beside_[node][1] == kNone; }
  [[nodiscard]] std::uint32_t other_end(std::uint32_t end) const { return other_end_[end]; }

  bool join(std::uint32_t a, std::uint32_t b) {
    if (!is_end(a) || !is_end(b) || other_end_[a] == b) return false;
    if (a == b) return false;
    link(a, b);
    link(b, a);
    const std::uint32_t far_a = other_end_[a], far_b = other_end_[b];
    other_end_[far_a] = far_b;
    other_end_[far_b] = far_a;
    return true;
  }

  // From `start`, an end of the only path left.
  [[nodiscard]] std::vector<std::uint32_t> walk(std::uint32_t start) const {
    std::vector<std::uint32_t> order;
    order.reserve(beside_.size());
    for (std::uint32_t before = kNone, node = start; node != kNone;) {
      order.push_back(node);
      const std::uint32_t onward = beside_[node][0] != before ? beside_[node][0] : beside_[node][1];
      before = node;
      node = onward;
    }
    return order;
  }

 private:
  void link(std::uint32_t node, std::uint32_t to) {
    beside_[node][beside_[node][0] == kNone ? 0 : 1] = to;
  }

  std::vector<std::array<std::uint32_t, 2>> beside_;  // kNone: a free end
  std::vector<std::uint32_t> other_end_;              // valid for ends
};

// One pass over the candidate edges of `lists`, whose node i is `nodes[i]` of the instance. False
// if the deadline came first.
bool join_shortest_first(const NodeDistance& distance, const NeighbourLists& lists,
                         std::span<const std::uint32_t> nodes, Paths& paths,
                         const Deadline& deadline) {
  if (!lists.complete()) return false;
  std::vector<CandidateEdge> edges;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (const std::uint32_t j : lists.of(i)) {
      const std::uint32_t from = std::min(nodes[i], nodes[j]), to = std::max(nodes[i], nodes[j]);
      if (paths.other_end(from) != to) edges.push_back({distance(from, to), from, to});
    }
  }
  return visit_in_order(edges, std::less<>(), deadline,
                        [&](const CandidateEdge& edge) { paths.join(edge.from, edge.to); });
}

std::vector<std::uint32_t> free_ends(const Paths& paths, std::size_t nodes) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (paths.is_end(node)) ends.push_back(node);
  }
  return ends;
}

}  // namespace

std::vector<std::uint32_t> greedy_tour(const Instance& instance, const NeighbourLists& neighbours,
                                       std::span<const std::uint32_t> partner,
                                       const Deadline& deadline) {
  const std::size_t nodes = instance.size();
  const NodeDistance distance(instance);
  Paths paths(nodes);
  for (std::uint32_t node = 0; node < partner.size(); ++node) {
    if (node < partner[node] && partner[node] < nodes) paths.join(node, partner[node]);
  }
  std::vector<std::uint32_t> ends(nodes);
  std::iota(ends.begin(), ends.end(), 0U);
  if (!join_shortest_first(distance, neighbours, ends, paths, deadline)) return {};
  // The ends that found no partner in their lists look again among themselves. Of three nearest
  // ends at least one belongs to another path (each path shows at most its two ends, one of them
  // the asking one), so every round joins the closest pair at least, and in practice most.
  constexpr std::size_t kEndNeighbours = 6;
  for (ends = free_ends(paths, nodes); ends.size() > 2; ends = free_ends(paths, nodes)) {
    const Instance part = part_of(instance, ends);
    const NeighbourLists near(part, kEndNeighbours, deadline);
    if (!join_shortest_first(distance, near, ends, paths, deadline)) return {};
  }
  return paths.walk(ends.front());
}

}  // namespace eco
