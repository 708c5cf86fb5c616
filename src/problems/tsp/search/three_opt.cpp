#include "problems/tsp/search/three_opt.h"

#include <array>

namespace eco {

namespace {

// before [head .. tail] after, read in the direction in which the segment leaves its head.
struct Segment {
  std::uint32_t before, head, tail, after;
};

// Puts the segment between `near` and `far`, adjacent in the tour, with the head next to `near`.
// Both are outside the segment. `far_follows`: far comes right after near when travelling from
// head to tail.
void move_segment(TourState& tour, const Segment& s, std::uint32_t near, std::uint32_t far,
                  bool far_follows) {
  if (far_follows) {
    // before [head..tail] after .. near far: turn head..near round, then after..near back, which
    // leaves the segment reversed; a third exchange turns it.
    tour.exchange(s.before, s.head, near, far);
    tour.exchange(s.before, near, s.after, s.tail);
    tour.exchange(near, s.tail, s.head, far);
    return;
  }
  // before [head..tail] after .. far near: after the same two exchanges the head is next to near.
  tour.exchange(s.before, s.head, far, near);
  tour.exchange(s.before, far, s.after, s.tail);
}

}  // namespace

double ThreeOpt::improve_at(TourState& tour, std::uint32_t node) {
  double gain = 0;
  for (const bool forward : {true, false}) {
    const auto onward = [&](std::uint32_t n) { return forward ? tour.next(n) : tour.previous(n); };
    const auto backward = [&](std::uint32_t n) {
      return forward ? tour.previous(n) : tour.next(n);
    };
    Segment s{backward(node), node, node, onward(node)};
    std::array<std::uint32_t, kLongestSegment> members{};
    for (std::size_t length = 1; length <= kLongestSegment && length + 2 < tour.size(); ++length) {
      if (length > 1) {
        s.tail = s.after;
        s.after = onward(s.tail);
      }
      members[length - 1] = s.tail;
      const auto inside = [&](std::uint32_t n) {
        for (std::size_t i = 0; i < length; ++i) {
          if (members[i] == n) return true;
        }
        return false;
      };
      const double removed = tour.distance(s.before, s.head) + tour.distance(s.tail, s.after) -
                             tour.distance(s.before, s.after);
      const bool found = tour.any_within(node, removed, [&](std::uint32_t near, double added) {
        if (inside(near)) return false;
        for (const bool far_follows : {true, false}) {
          const std::uint32_t far = far_follows ? onward(near) : backward(near);
          if (inside(far)) continue;  // the place where it stands already
          gain = removed + tour.distance(near, far) - added - tour.distance(s.tail, far);
          if (gain <= tour.tolerance()) continue;
          move_segment(tour, s, near, far, far_follows);
          for (const std::uint32_t n : {s.before, s.head, s.tail, s.after, near, far}) {
            tour.touch(n);
          }
          return true;
        }
        return false;
      });
      if (found) return gain;
    }
  }
  return 0;
}

}  // namespace eco
