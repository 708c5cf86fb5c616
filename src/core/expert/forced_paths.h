#pragma once
// Edges that a solution must have, checked once, as the disjoint paths that they form. In the CVRP
// a path ends where it meets the depot (node 0), so it runs over customers only and knows which of
// its ends are tied to the depot; in the TSP the edges may also be one whole tour.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco {

class ForcedPaths {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // Throws eco::Error (input) that says which edge or node is wrong: nodes that do not exist, a
  // node with more than two edges, an edge given twice, a cycle that is no solution, a path that is
  // heavier than a vehicle. Costs nothing if there are no edges.
  ForcedPaths(const Instance& instance, std::span<const Edge> edges);

  [[nodiscard]] bool empty() const { return links_.empty(); }
  // TSP: the edges are all there is.
  [[nodiscard]] bool whole_tour() const { return whole_tour_; }

  // The following ask for a set that is not empty. A free node is a path of its own.
  [[nodiscard]] bool is_end(std::size_t node) const { return inner_links(node) < 2; }
  [[nodiscard]] bool is_free(std::size_t node) const { return links_[node][0] == kNone; }
  [[nodiscard]] std::uint32_t other_end(std::size_t end) const { return other_end_[end]; }
  [[nodiscard]] std::size_t depot_edges(std::size_t node) const {
    return static_cast<std::size_t>(links_[node][0] == depot_) +
           static_cast<std::size_t>(links_[node][1] == depot_);
  }
  // The path from `end` to its other end; of a whole tour, all of it from any node.
  void append_path(std::uint32_t end, std::vector<NodeId>& nodes) const;
  // The demands on it together.
  [[nodiscard]] std::int64_t load(const Instance& instance, std::uint32_t end) const;

  // Throws eco::Error (input) if `start` is no solution of the instance or lacks one of the edges;
  // returns its cost.
  double require_start(const Instance& instance, const Solution& start) const;

 private:
  static constexpr std::uint32_t kNoDepot = kNone - 1;  // above all nodes

  [[nodiscard]] bool is_inner(std::uint32_t link) const { return link != kNone && link != depot_; }
  [[nodiscard]] std::size_t inner_links(std::size_t node) const {
    return static_cast<std::size_t>(is_inner(links_[node][0])) +
           static_cast<std::size_t>(is_inner(links_[node][1]));
  }
  template <class Visit>
  void walk(std::uint32_t end, const Visit& visit) const;
  void add(const Instance& instance, const Edge& edge);
  void link(const Instance& instance, std::size_t node, std::size_t to);
  void check_loads(const Instance& instance) const;

  std::uint32_t depot_;
  std::size_t edges_ = 0;
  bool whole_tour_ = false;
  std::vector<std::array<std::uint32_t, 2>> links_;  // by node; kNone behind those that are there
  std::vector<std::uint32_t> other_end_;             // valid at ends
};

}  // namespace eco
