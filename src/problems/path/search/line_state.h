#pragma once
// An open path under change, with what the operators ask of it. Places count from 0; an end that is
// given stays where it is.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/search/neighbours.h"
#include "core/search/node_distance.h"

namespace eco {

class LineState {
 public:
  LineState(const Instance& instance, const NeighbourLists& neighbours)
      : instance_(&instance), distance_(instance), neighbours_(&neighbours) {}

  void assign(const Solution& path, double cost);
  [[nodiscard]] Solution solution() const;

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::uint32_t at(std::size_t place) const { return order_[place]; }
  [[nodiscard]] std::size_t place(std::uint32_t node) const { return place_[node]; }
  [[nodiscard]] std::span<const std::uint32_t> near(std::uint32_t node) const {
    return neighbours_->of(node);
  }
  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const { return distance_(a, b); }
  // Whether the first, the last node may become another one.
  [[nodiscard]] bool free_start() const { return !instance_->start; }
  [[nodiscard]] bool free_end() const { return !instance_->end; }
  // Length of the edge at either side of a place; 0 where the path ends.
  [[nodiscard]] double edge_before(std::size_t place) const {
    return place == 0 ? 0.0 : distance_(order_[place - 1], order_[place]);
  }
  [[nodiscard]] double edge_behind(std::size_t place) const {
    return place + 1 == size() ? 0.0 : distance_(order_[place], order_[place + 1]);
  }

  // Turns round what lies from one place to another, both included.
  void reverse(std::size_t first, std::size_t last);
  // Moves the nodes from `first` to `last` before what is at `target` now (the size: to the end).
  void move(std::size_t first, std::size_t last, std::size_t target);

  // The contract of SearchState.
  [[nodiscard]] std::span<const std::uint32_t> scan_order() const { return order_; }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] std::span<const std::uint32_t> touched() const { return touched_; }
  void clear_touched() { touched_.clear(); }
  // The nodes at both places and beside them.
  void touch_around(std::size_t first, std::size_t last);

 private:
  void renumber(std::size_t first, std::size_t last);

  const Instance* instance_;
  NodeDistance distance_;
  const NeighbourLists* neighbours_;
  double tolerance_ = 0;
  std::vector<std::uint32_t> order_, place_, touched_;
};

}  // namespace eco
