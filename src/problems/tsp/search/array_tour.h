#pragma once
// A cyclic tour as an array of nodes with the place of each: successor, predecessor and order along
// the tour are look-ups, and a 2-opt exchange reverses the shorter of its two paths.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace eco {

class ArrayTour {
 public:
  // A permutation of 0 .. order.size() - 1.
  void assign(std::vector<std::uint32_t> order) {
    order_ = std::move(order);
    place_.resize(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  [[nodiscard]] std::uint32_t at(std::size_t place) const { return order_[place]; }
  [[nodiscard]] std::uint32_t place(std::uint32_t node) const { return place_[node]; }
  [[nodiscard]] std::uint32_t next(std::uint32_t node) const {
    const std::size_t place = place_[node] + 1U;
    return order_[place == order_.size() ? 0 : place];
  }
  [[nodiscard]] std::uint32_t previous(std::uint32_t node) const {
    const std::size_t place = place_[node];
    return order_[(place == 0 ? order_.size() : place) - 1];
  }

  // Edges (a, b) and (c, d), both in the same direction of travel, become (a, c) and (b, d).
  // exchange(a, c, b, d) takes it back.
  void exchange(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    if (next(a) != b) {  // travelled the other way round: the same edges, read backwards
      std::swap(a, b);
      std::swap(c, d);
    }
    assert(next(a) == b && next(c) == d);
    const std::size_t inside = path_length(b, c);
    if (2 * inside <= size()) {
      reverse(place_[b], place_[c], inside);
    } else {
      reverse(place_[d], place_[a], size() - inside);
    }
  }

  // Nodes on the path from `first` onward to `last`, both included.
  [[nodiscard]] std::size_t path_length(std::uint32_t first, std::uint32_t last) const {
    const std::size_t from = place_[first], to = place_[last];
    return to >= from ? to - from + 1 : to + size() - from + 1;
  }

 private:
  void reverse(std::size_t first, std::size_t last, std::size_t length) {
    const std::size_t end = size() - 1;
    for (std::size_t swaps = length / 2; swaps > 0; --swaps) {
      const std::uint32_t a = order_[first], b = order_[last];
      order_[first] = b;
      order_[last] = a;
      place_[b] = static_cast<std::uint32_t>(first);
      place_[a] = static_cast<std::uint32_t>(last);
      first = first == end ? 0 : first + 1;
      last = last == 0 ? end : last - 1;
    }
  }

  std::vector<std::uint32_t> order_;  // nodes in order of travel
  std::vector<std::uint32_t> place_;  // order_[place_[node]] == node
};

}  // namespace eco
