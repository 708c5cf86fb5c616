#pragma once
// Sequential 3-opt by neighbour lists, the first three levels of Lin and Kernighan's search: from a
// node t1 remove (t1, t2), add (t2, t3), remove (t3, t4), add (t4, t5), remove (t5, t6), close
// (t6, t1), as long as what is removed outweighs what is added. All 2-opt moves, segment insertions
// with and without reversal and the other pure 3-opt moves are among them. Nothing is changed until
// a move is known to gain. Every change is an exchange and can be taken back. Edges between tied
// nodes are never removed; a search without ties is compiled without the question.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/deadline.h"
#include "core/search/descent.h"
#include "core/search/neighbours.h"
#include "problems/tsp/search/array_tour.h"

namespace eco {

struct NoTies {
  [[nodiscard]] static constexpr bool tied(std::uint32_t /*a*/, std::uint32_t /*b*/) {
    return false;
  }
};

// A node has one partner at most, so of two consecutive edges one at least is free.
struct Partners {
  std::span<const std::uint32_t> partner;  // by node; itself: free
  [[nodiscard]] bool tied(std::uint32_t a, std::uint32_t b) const { return partner[a] == b; }
};

// Arguments of ArrayTour::exchange.
using Exchange = std::array<std::uint32_t, 4>;

template <class Distance, class Ties = NoTies>
class OrOpt {
 public:
  OrOpt(const Distance& distance, const NeighbourLists& neighbours, const Ties& ties = {})
      : distance_(distance),
        ties_(ties),
        k_(neighbours.k()),
        k_second_(std::min(k_, kSecondBreadth)),
        queue_(neighbours.nodes()) {
    auto near = std::make_shared<std::vector<Near>>();
    near->reserve(neighbours.nodes() * k_);
    for (std::uint32_t node = 0; node < neighbours.nodes(); ++node) {
      for (const std::uint32_t other : neighbours.of(node)) {
        // What is beside a node for ever is no candidate; a place that is left over never gains.
        if (!ties.tied(node, other)) near->push_back({distance(node, other), other});
      }
      near->resize((node + 1) * k_, {std::numeric_limits<double>::infinity(), node});
    }
    near_ = near->data();
    near_owner_ = std::move(near);
  }

  [[nodiscard]] ArrayTour& tour() { return tour_; }
  [[nodiscard]] const ArrayTour& tour() const { return tour_; }
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const { return distance_(a, b); }
  [[nodiscard]] bool tied(std::uint32_t a, std::uint32_t b) const { return ties_.tied(a, b); }

  void wake(std::uint32_t node) { queue_.push(node); }
  // Improves around woken nodes until none is awake or the deadline is reached; returns by how
  // much the tour got shorter.
  double settle(const Deadline& deadline) {
    // In a long tour an exchange may take as long as many of these nodes in a short one.
    constexpr std::size_t kNodesBetweenClockReads = 16;
    double gained = 0;
    for (std::size_t looked = 1; !queue_.empty(); ++looked) {
      if (looked % kNodesBetweenClockReads == 0 && deadline.reached()) break;
      const std::uint32_t node = queue_.pop();
      double gain = improve_at(node);
      while (gain > 0) {
        gained += gain;
        gain = improve_at(node);
      }
    }
    return gained;
  }

  // Remembered until forget_changes(); take_back_changes() restores the tour.
  void exchange(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    tour_.exchange(a, b, c, d);
    changes_.push_back({a, b, c, d});
  }
  // An exchange that was made in another tour: false if this one lacks an edge of it or has the two
  // the other way round.
  bool try_exchange(const Exchange& made) {
    const auto& [a, b, c, d] = made;
    const bool forward = tour_.next(a) == b && tour_.next(c) == d;
    if (!forward && (tour_.previous(a) != b || tour_.previous(c) != d)) return false;
    exchange(a, b, c, d);
    return true;
  }
  [[nodiscard]] std::span<const Exchange> changes() const { return changes_; }
  void forget_changes() { changes_.clear(); }
  void take_back_changes() {
    for (; !changes_.empty(); changes_.pop_back()) {
      const auto& [a, b, c, d] = changes_.back();
      tour_.exchange(a, c, b, d);
    }
  }

 private:
  // More finds hardly more, and the time is spent here.
  static constexpr std::size_t kSecondBreadth = 5;

  struct Near {
    double distance;
    std::uint32_t node;
  };

  // How the removed edges (t1, t2), (t3, t4), (t5, t6) are replaced; apply() has the details.
  enum class Kind : std::uint8_t { none, two_opt, three_opt, segments_swapped, segments_reversed };
  struct Move {
    double gain = 0;
    Kind kind = Kind::none;
    std::uint32_t t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6 = 0;
  };

  [[nodiscard]] double improve_at(std::uint32_t t1) {
    Move move = find_move<true>(t1);
    if (move.kind == Kind::none) move = find_move<false>(t1);
    if (move.kind == Kind::none) return 0;
    apply(move);
    return move.gain;
  }

  void apply(const Move& m) {
    switch (m.kind) {
      case Kind::two_opt:  // t1 t2..t4 t3 -> t1 t4..t2 t3
        exchange(m.t1, m.t2, m.t4, m.t3);
        wake_all({m.t1, m.t2, m.t3, m.t4});
        return;
      case Kind::three_opt:  // a second exchange on the tour of the first
        exchange(m.t1, m.t2, m.t4, m.t3);
        exchange(m.t1, m.t4, m.t6, m.t5);
        break;
      case Kind::segments_swapped:  // t1 [t2..t5] [t6..t3] t4 -> t1 [t6..t3] [t2..t5] t4
        exchange(m.t1, m.t2, m.t3, m.t4);
        exchange(m.t1, m.t3, m.t6, m.t5);
        exchange(m.t3, m.t5, m.t2, m.t4);
        break;
      case Kind::segments_reversed:  // t1 [t2..t6] [t5..t3] t4 -> t1 [t6..t2] [t3..t5] t4
        exchange(m.t1, m.t2, m.t6, m.t5);
        exchange(m.t2, m.t5, m.t3, m.t4);
        break;
      case Kind::none:
        return;
    }
    wake_all({m.t1, m.t2, m.t3, m.t4, m.t5, m.t6});
  }

  template <bool forward>
  [[nodiscard]] std::uint32_t after(std::uint32_t node) const {
    return forward ? tour_.next(node) : tour_.previous(node);
  }

  // Steps from `origin` to `node` in the direction of travel.
  template <bool forward>
  [[nodiscard]] std::size_t steps(std::size_t origin, std::uint32_t node) const {
    const std::size_t place = tour_.place(node);
    if (forward) return place >= origin ? place - origin : place + tour_.size() - origin;
    return origin >= place ? origin - place : origin + tour_.size() - place;
  }

  // The first move that gains. With t2 after t1 the tour reads t2 .. t1; `reach` is how far along
  // it a node is. Flattened: the distance is called from too many places to be inlined otherwise.
  template <bool forward>
  [[nodiscard, gnu::flatten]] Move find_move(std::uint32_t t1) const {
    const std::uint32_t t2 = after<forward>(t1);
    if (tied(t1, t2)) return {};
    const std::size_t origin = tour_.place(t2);
    const double removed1 = distance_(t1, t2);
    for (std::size_t i = 0; i < k_; ++i) {
      const auto [added1, t3] = near_[t2 * k_ + i];
      const double open1 = removed1 - added1;
      if (open1 <= tolerance_) break;
      const std::size_t reach3 = steps<forward>(origin, t3);

      // t2 .. t4 t3 .. t1: closing now is a 2-opt move.
      if (reach3 > 1 && !tied(t3, after<!forward>(t3))) {
        const std::uint32_t t4 = after<!forward>(t3);
        const double open2 = open1 + distance_(t3, t4);
        const double gain2 = open2 - distance_(t4, t1);
        if (gain2 > tolerance_) return {gain2, Kind::two_opt, t1, t2, t3, t4, 0, 0};
        for (std::size_t j = 0; j < k_second_; ++j) {
          const auto [added2, t5] = near_[t4 * k_ + j];
          const double open3 = open2 - added2;
          if (open3 <= tolerance_) break;
          if (t5 == t3) continue;
          const std::size_t reach5 = steps<forward>(origin, t5);
          // What comes before t5 in t4 .. t2 t3 .. t1.
          const std::uint32_t t6 = reach5 > reach3 ? after<!forward>(t5) : after<forward>(t5);
          if (t6 == t4 || tied(t5, t6)) continue;
          const double gain3 = open3 + distance_(t5, t6) - distance_(t6, t1);
          if (gain3 > tolerance_) return {gain3, Kind::three_opt, t1, t2, t3, t4, t5, t6};
        }
      }

      // t2 .. t3 t4 .. t1: t5 must break the cycle t2 .. t3.
      if (reach3 > 0 && t3 != t1 && !tied(t3, after<forward>(t3))) {
        const std::uint32_t t4 = after<forward>(t3);
        const double open2 = open1 + distance_(t3, t4);
        for (std::size_t j = 0; j < k_second_; ++j) {
          const auto [added2, t5] = near_[t4 * k_ + j];
          const double open3 = open2 - added2;
          if (open3 <= tolerance_) break;
          if (steps<forward>(origin, t5) >= reach3) continue;
          std::uint32_t t6 = after<forward>(t5);
          double gain3 = open3 + distance_(t5, t6) - distance_(t6, t1);
          if (gain3 > tolerance_ && !tied(t5, t6)) {
            return {gain3, Kind::segments_swapped, t1, t2, t3, t4, t5, t6};
          }
          if (t5 == t2) continue;
          t6 = after<!forward>(t5);
          gain3 = open3 + distance_(t5, t6) - distance_(t6, t1);
          if (gain3 > tolerance_ && !tied(t5, t6)) {
            return {gain3, Kind::segments_reversed, t1, t2, t3, t4, t5, t6};
          }
        }
      }
    }
    return {};
  }

  template <std::size_t count>
  void wake_all(const std::uint32_t (&nodes)[count]) {
    for (const std::uint32_t node : nodes) queue_.push(node);
  }

  Distance distance_;
  [[no_unique_address]] Ties ties_;
  std::size_t k_;         // neighbours tried as t3
  std::size_t k_second_;  // neighbours tried as t5
  const Near* near_;      // [nodes, k], nearest first; copies of a search share it
  std::shared_ptr<const std::vector<Near>> near_owner_;
  WakeQueue queue_;
  ArrayTour tour_;
  std::vector<Exchange> changes_;
  double tolerance_ = 0;
};

}  // namespace eco
