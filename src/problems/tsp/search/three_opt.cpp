#include "problems/tsp/search/three_opt.h"

#include <initializer_list>

namespace eco {

namespace {

// The moves from one node in one direction of travel: (t1, t2) is an edge, t2 behind t1.
class ThreeOptChain {
 public:
  ThreeOptChain(TourState& tour, std::uint32_t t1, bool forward)
      : tour_(tour), forward_(forward), t1_(t1), t2_(onward(t1)) {}

  // What the first improving exchange gains, which is then made; 0: there is none.
  double improve() {
    const double removed = tour_.distance(t1_, t2_);
    tour_.any_within(t2_, removed, [&](std::uint32_t t3, double added) {
      if (t3 == onward(t2_) || t3 == t1_) return false;  // an edge of the tour already
      const double left = removed - added;
      return across(t3, left) || through_a_cycle(t3, left);
    });
    return gain_;
  }

 private:
  [[nodiscard]] std::uint32_t onward(std::uint32_t n) const {
    return forward_ ? tour_.next(n) : tour_.previous(n);
  }
  [[nodiscard]] std::uint32_t backward(std::uint32_t n) const {
    return forward_ ? tour_.previous(n) : tour_.next(n);
  }
  [[nodiscard]] bool on_path(std::uint32_t first, std::uint32_t n, std::uint32_t last) const {
    return forward_ ? tour_.on_path(first, n, last) : tour_.on_path(last, n, first);
  }

  bool accept(double gain) {
    if (gain <= tour_.tolerance()) return false;
    gain_ = gain;
    return true;
  }
  void touch(std::initializer_list<std::uint32_t> nodes) {
    for (const std::uint32_t n : nodes) tour_.touch(n);
  }

  // t4 before t3: closing (t4, t1) makes a tour, t1 [t4 .. t2] t3: a 2-opt exchange. A third edge
  // makes a second exchange on top of it.
  bool across(std::uint32_t t3, double left) {
    const std::uint32_t t4 = backward(t3);
    left += tour_.distance(t3, t4);
    if (accept(left - tour_.distance(t4, t1_))) {
      tour_.exchange(t1_, t2_, t4, t3);
      touch({t1_, t2_, t3, t4});
      return true;
    }
    return tour_.any_within(t4, left, [&](std::uint32_t t5, double added) {
      if (t5 == t3 || t5 == t1_) return false;
      // Before t5 in the tour with t2 .. t4 reversed.
      const std::uint32_t t6 = on_path(t2_, t5, t4) ? onward(t5) : backward(t5);
      if (!accept(left - added + tour_.distance(t5, t6) - tour_.distance(t6, t1_))) return false;
      tour_.exchange(t1_, t2_, t4, t3);
      tour_.exchange(t1_, t4, t6, t5);
      touch({t1_, t2_, t3, t4, t5, t6});
      return true;
    });
  }

  // t4 behind t3: (t2, t3) closes a cycle t2 .. t3 beside the path t4 .. t1; t5 opens it again, on
  // either side.
  bool through_a_cycle(std::uint32_t t3, double left) {
    const std::uint32_t t4 = onward(t3);
    left += tour_.distance(t3, t4);
    return tour_.any_within(t4, left, [&](std::uint32_t t5, double added) {
      if (t5 == t3 || !on_path(t2_, t5, t3)) return false;
      const std::uint32_t after = onward(t5);
      if (accept(left - added + tour_.distance(t5, after) - tour_.distance(after, t1_))) {
        swap_segments(t3, t4, t5, after);
        return true;
      }
      if (t5 == t2_) return false;  // nothing of the cycle is before it
      const std::uint32_t before = backward(t5);
      if (!accept(left - added + tour_.distance(t5, before) - tour_.distance(before, t1_))) {
        return false;
      }
      // t1 [t2 .. before] [t5 .. t3] t4 with both segments reversed.
      tour_.exchange(t1_, t2_, before, t5);
      tour_.exchange(t2_, t5, t3, t4);
      touch({t1_, t2_, t3, t4, t5, before});
      return true;
    });
  }

  // t1 [t2 .. t5] [t6 .. t3] t4 becomes t1 [t6 .. t3] [t2 .. t5] t4: all of it reversed, then each
  // segment turned back.
  void swap_segments(std::uint32_t t3, std::uint32_t t4, std::uint32_t t5, std::uint32_t t6) {
    tour_.exchange(t1_, t2_, t3, t4);
    tour_.exchange(t1_, t3, t6, t5);
    tour_.exchange(t3, t5, t2_, t4);
    touch({t1_, t2_, t3, t4, t5, t6});
  }

  TourState& tour_;
  bool forward_;
  std::uint32_t t1_, t2_;
  double gain_ = 0;
};

}  // namespace

double ThreeOpt::improve_at(TourState& tour, std::uint32_t node) {
  for (const bool forward : {true, false}) {
    if (const double gain = ThreeOptChain(tour, node, forward).improve(); gain > 0) return gain;
  }
  return 0;
}

}  // namespace eco
