#pragma once
// A tour under change, with what the operators ask of it: neighbours along the tour and in space,
// distances, exchanges.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"
#include "problems/tsp/search/array_tour.h"

namespace eco {

class TourState {
 public:
  // `exhaustive`: where a neighbour list ends too early to prove that no move exists, operators
  // look at all nodes.
  TourState(const Instance& instance, const NeighbourLists& neighbours, bool exhaustive)
      : distance_(instance), neighbours_(&neighbours), exhaustive_(exhaustive) {}

  void assign(const Solution& tour, double tour_cost);
  [[nodiscard]] Solution solution() const;

  [[nodiscard]] std::size_t size() const { return tour_.size(); }
  [[nodiscard]] std::uint32_t next(std::uint32_t node) const { return tour_.next(node); }
  [[nodiscard]] std::uint32_t previous(std::uint32_t node) const { return tour_.previous(node); }
  // Whether `node` is met on the way onward from `first` to `last`, both included.
  [[nodiscard]] bool on_path(std::uint32_t first, std::uint32_t node, std::uint32_t last) const {
    return tour_.path_length(first, node) <= tour_.path_length(first, last);
  }
  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const { return distance_(a, b); }

  // Calls visit(other, distance) for every node nearer to `node` than `radius`, near ones first,
  // until it returns true; then returns true. In a state that is not exhaustive only for those in
  // the neighbour list.
  template <class Visit>
  bool any_within(std::uint32_t node, double radius, Visit&& visit) const {
    for (const std::uint32_t other : neighbours_->of(node)) {
      const double length = distance_(node, other);
      if (length >= radius) return false;
      if (visit(other, length)) return true;
    }
    if (!exhaustive_ || neighbours_->k() + 1 >= size()) return false;
    for (std::uint32_t other = 0; other < size(); ++other) {
      const double length = distance_(node, other);
      if (length < radius && other != node && visit(other, length)) return true;
    }
    return false;
  }

  // Edges (a, b) and (c, d), both in the same direction of travel, become (a, c) and (b, d).
  void exchange(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    tour_.exchange(a, b, c, d);
  }

  // The contract of SearchState.
  [[nodiscard]] std::span<const std::uint32_t> scan_order() const { return tour_.order(); }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] std::span<const std::uint32_t> touched() const { return touched_; }
  void clear_touched() { touched_.clear(); }
  void touch(std::uint32_t node) { touched_.push_back(node); }

 private:
  NodeDistance distance_;
  const NeighbourLists* neighbours_;
  bool exhaustive_;
  double tolerance_ = 0;
  ArrayTour tour_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace eco
