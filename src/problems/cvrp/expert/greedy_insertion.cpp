#include "problems/cvrp/expert/greedy_insertion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace eco {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

GreedyInsertion::GreedyInsertion(const Instance& instance, const DistanceTable& distance,
                                 const NeighbourLists& neighbours, const TiedEnds& fragments,
                                 const GreedyInsertionOptions& options)
    : distance_(&distance),
      fragments_(fragments),
      options_(options),
      from_depot_(instance.size()),
      to_depot_(instance.size()),
      demands_(instance.demands),
      symmetric_(distance.symmetric()),
      any_lengths_(instance.metric == Metric::matrix) {
  const auto nodes = static_cast<std::uint32_t>(instance.size());
  for (std::uint32_t i = 1; i < nodes; ++i) {
    from_depot_[i] = distance(0, i);
    to_depot_[i] = distance.into(0, i);
  }
  gap_from_depot_ = from_depot_;
  gap_to_depot_ = to_depot_;
  near_.reserve(options.neighbours * nodes);
  offset_.assign(2, 0);  // the depot has none
  for (std::uint32_t i = 1; i < nodes; ++i) {
    if (fragments.tied_to_depot(i)) gap_from_depot_[i] = gap_to_depot_[i] = -kInfinity;
    for (const std::uint32_t j : neighbours.of(i)) {
      if (near_.size() - offset_.back() == options_.neighbours) break;
      // There is no room beside an end at the depot, and none between the ends of a path.
      if (j == 0 || fragments.tied_to_depot(j) || fragments.other_end(i) == j) continue;
      near_.push_back({std::min(distance(i, j), distance.into(i, j)), j});
    }
    offset_.push_back(near_.size());
  }
}

// Waiting times between blinks are geometric: one logarithm for a hundred places.
void GreedyInsertion::draw_blink(Rng& rng) {
  const double wait = std::log(1.0 - rng.uniform()) / std::log(1.0 - options_.blink_probability);
  until_blink_ = 1 + static_cast<std::int64_t>(std::min(wait, 1e9));
}

void GreedyInsertion::sort(std::vector<std::uint32_t>& absent, Rng& rng) const {
  const auto by = [&](auto key) {
    std::sort(absent.begin(), absent.end(), [&](std::uint32_t a, std::uint32_t b) {
      return key(a) != key(b) ? key(a) < key(b) : a < b;
    });
  };
  const auto remoteness = [&](std::uint32_t node) {
    return from_depot_[node] + from_depot_[fragments_.other_end(node)];
  };
  const std::uint32_t draw = rng.below(11);
  if (draw < 4) {
    rng.shuffle(std::span(absent));
  } else if (draw < 8) {
    by([&](std::uint32_t node) { return -demands_[node]; });
  } else if (draw < 10) {
    by([&](std::uint32_t node) { return -remoteness(node); });
  } else {
    by(remoteness);
  }
}

double GreedyInsertion::recreate(LinkedRoutes& routes, Rng& rng, std::vector<std::uint32_t>& absent,
                                 double allowance, std::size_t& inserted) {
  sort(absent, rng);
  double growth = 0;
  for (inserted = 0; inserted < absent.size() && growth <= allowance; ++inserted) {
    const std::uint32_t node = absent[inserted];
    Place place = best_place(routes, node, rng);
    const bool may_open = routes.used_routes() < most_routes_;
    const double alone = from_depot_[node] + to_depot_[fragments_.other_end(node)];
    if (place.growth == kInfinity || (may_open && any_lengths_ && alone < place.growth)) {
      if (!may_open) break;
      place = {alone, node, 0, routes.empty_route()};
    }
    growth += routes.insert(place.head, place.previous, place.route);
  }
  return growth;
}

double GreedyInsertion::insert_what_fits(LinkedRoutes& routes, Rng& rng,
                                         std::vector<std::uint32_t>& absent,
                                         std::size_t& inserted) {
  sort(absent, rng);
  double growth = 0;
  std::vector<std::uint32_t> left;
  inserted = 0;
  for (const std::uint32_t node : absent) {
    const Place place = best_place(routes, node, rng);
    if (place.growth == kInfinity) {
      left.push_back(node);
      continue;
    }
    growth += routes.insert(place.head, place.previous, place.route);
    absent[inserted++] = node;
  }
  std::copy(left.begin(), left.end(), absent.begin() + static_cast<std::ptrdiff_t>(inserted));
  return growth;
}

GreedyInsertion::Place GreedyInsertion::best_near(const LinkedRoutes& routes, std::uint32_t node,
                                                  Rng& rng) {
  Place best{kInfinity, 0, 0, 0};
  const std::uint32_t other = fragments_.other_end(node);
  if (other == node) {
    look_at_depot(routes, {node, node}, rng, best);
    look_beside<true>(routes, {node, node}, rng, best);
    return best;
  }
  const bool tied = fragments_.tied_to_depot(node), other_tied = fragments_.tied_to_depot(other);
  if (!tied) look_at_depot(routes, {node, other}, rng, best);
  if (!other_tied) look_at_depot(routes, {other, node}, rng, best);
  if (tied || other_tied) return best;
  look_beside<false>(routes, {node, other}, rng, best);
  look_beside<false>(routes, {other, node}, rng, best);
  return best;
}

void GreedyInsertion::look_at_depot(const LinkedRoutes& routes, Ends ends, Rng& rng, Place& best) {
  const auto [near, far] = ends;
  const DistanceTable& distance = *distance_;
  const double out = from_depot_[far], home = to_depot_[far];
  for (std::uint32_t r = 0; r < routes.routes(); ++r) {
    const LinkedRoutes::LinkedRoute& route = routes.route(r);
    if (route.stops == 0 || !routes.fits(near, r)) continue;
    const double front = out + distance(near, route.first) - gap_from_depot_[route.first];
    if (front < best.growth && !blink(rng)) best = {front, far, 0, r};
    const double back = home + distance.into(near, route.last) - gap_to_depot_[route.last];
    if (back < best.growth && !blink(rng)) best = {back, near, route.last, r};
  }
}

template <bool one_node>
void GreedyInsertion::look_beside(const LinkedRoutes& routes, Ends ends, Rng& rng, Place& best) {
  const auto [node, far] = ends;
  const DistanceTable& distance = *distance_;
  const double to_depot = from_depot_[node];
  for (const Near& near : near_of(node)) {
    const LinkedRoutes::Stop& stop = routes.stop(near.node);
    // A bound from below that spares most of the look-ups. An edge is met first from its nearer
    // end, so its other end is no nearer than this one; but a far end may be, and a way back.
    const double reach =
        near.distance + (one_node && symmetric_ ? std::min(near.distance, to_depot) : 0.0);
    if (reach - std::max(stop.before, stop.after) >= best.growth) continue;
    if (stop.route == LinkedRoutes::kNone || !routes.fits(node, stop.route)) continue;
    if (reach - stop.after < best.growth) {
      const double growth = distance.into(node, near.node) + distance(far, stop.next) - stop.after;
      if (growth < best.growth && !blink(rng)) best = {growth, node, near.node, stop.route};
    }
    if (reach - stop.before < best.growth) {
      const double growth =
          distance.into(far, stop.previous) + distance(node, near.node) - stop.before;
      if (growth < best.growth && !blink(rng)) best = {growth, far, stop.previous, stop.route};
    }
  }
}

GreedyInsertion::Place GreedyInsertion::best_anywhere(const LinkedRoutes& routes,
                                                      std::uint32_t node) const {
  Place best{kInfinity, 0, 0, 0};
  const DistanceTable& distance = *distance_;
  const std::uint32_t other = fragments_.other_end(node);
  for (std::uint32_t r = 0; r < routes.routes(); ++r) {
    const LinkedRoutes::LinkedRoute& route = routes.route(r);
    if (route.stops == 0 || !routes.fits(node, r)) continue;
    std::uint32_t previous = 0;
    for (std::uint32_t next = route.first;; next = routes.stop(next).next) {
      double replaced = next != 0 ? routes.stop(next).before : routes.stop(previous).after;
      if (previous == 0) replaced = gap_from_depot_[next];
      if (next == 0) replaced = gap_to_depot_[previous];
      const auto offer = [&](std::uint32_t head, std::uint32_t tail) {
        if (fragments_.tied_to_depot(head) && previous != 0) return;
        if (fragments_.tied_to_depot(tail) && next != 0) return;
        const double growth = distance.into(head, previous) + distance(tail, next) - replaced;
        if (growth < best.growth) best = {growth, head, previous, r};
      };
      offer(node, other);
      if (other != node) offer(other, node);
      if (next == 0) break;
      previous = next;
    }
  }
  return best;
}

}  // namespace eco
