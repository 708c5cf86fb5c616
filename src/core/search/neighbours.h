#pragma once
// The k nearest nodes of every node, nearest first, equal distances by index. Coordinates are
// compared by plain Euclidean distance, which every rounding and ATT keep in order; GEO lists are
// put in order by their own metric afterwards; matrices are sorted row by row, by the shorter of
// the two directions where those differ.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

class NeighbourLists {
 public:
  // O(N log N) for coordinates, O(N^2) for matrices. k is cut to nodes - 1. If the deadline comes
  // first, the lists are not complete() and of no use. With `quarter`, where there are coordinates,
  // so many of the k are the nearest of every quarter of the plane around the node, if it has them:
  // the nearest alone never leave a cluster.
  NeighbourLists(const Instance& instance, std::size_t k, const Deadline& deadline = {},
                 std::size_t quarter = 0);
  NeighbourLists(std::span<const Point> points, std::size_t k, const Deadline& deadline = {});

  // Lists that were made elsewhere: [nodes, k].
  NeighbourLists(std::size_t nodes, std::size_t k, std::vector<std::uint32_t> lists)
      : nodes_(nodes), k_(k), neighbours_(std::move(lists)) {}

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const {
    return {neighbours_.data() + node * k_, k_};
  }
  [[nodiscard]] std::size_t k() const { return k_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  void from_points(std::span<const Point> points, const Deadline& deadline, std::size_t quarter);
  void from_matrix(const Instance& instance, const Deadline& deadline);
  void sort_by_metric(const Instance& instance, const Deadline& deadline);
  bool give_up(std::size_t done, const Deadline& deadline);  // asked before every node

  std::size_t nodes_;
  std::size_t k_;
  std::vector<std::uint32_t> neighbours_;  // [nodes, k]
  bool complete_ = true;
};

}  // namespace eco
