#include "core/expert/cvrp/greedy_insertion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace eco {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

GreedyInsertion::GreedyInsertion(const Instance& instance, const DistanceTable& distance,
                                 const NeighbourLists& neighbours,
                                 const GreedyInsertionOptions& options)
    : distance_(&distance),
      options_(options),
      from_depot_(instance.size()),
      demands_(instance.demands) {
  for (std::size_t i = 1; i < from_depot_.size(); ++i) from_depot_[i] = distance(0, i);
  offset_.assign(2, 0);  // the depot has none
  for (std::size_t i = 1; i < from_depot_.size(); ++i) {
    for (const std::uint32_t j : neighbours.of(i)) {
      if (near_.size() - offset_.back() == options_.neighbours) break;
      if (j != 0) near_.push_back({distance(i, j), j});
    }
    offset_.push_back(near_.size());
  }
}

// Waiting times between blinks are geometric: one logarithm for a hundred places.
void GreedyInsertion::draw_blink(Rng& rng) {
  const double wait = std::log(1.0 - rng.uniform()) / std::log(1.0 - options_.blink_probability);
  until_blink_ = 1 + static_cast<std::int64_t>(std::min(wait, 1e9));
}

void GreedyInsertion::sort(std::vector<std::uint32_t>& customers, Rng& rng) const {
  const auto by = [&](auto key) {
    std::sort(customers.begin(), customers.end(), [&](std::uint32_t a, std::uint32_t b) {
      return key(a) != key(b) ? key(a) < key(b) : a < b;
    });
  };
  const std::uint32_t draw = rng.below(11);
  if (draw < 4) {
    rng.shuffle(std::span(customers));
  } else if (draw < 8) {
    by([&](std::uint32_t c) { return -demands_[c]; });
  } else if (draw < 10) {
    by([&](std::uint32_t c) { return -from_depot_[c]; });
  } else {
    by([&](std::uint32_t c) { return from_depot_[c]; });
  }
}

double GreedyInsertion::recreate(LinkedRoutes& routes, Rng& rng,
                                 std::vector<std::uint32_t>& customers, double allowance,
                                 std::size_t& inserted) {
  sort(customers, rng);
  double growth = 0;
  for (inserted = 0; inserted < customers.size() && growth <= allowance; ++inserted) {
    const std::uint32_t customer = customers[inserted];
    Place place = best_near(routes, customer, rng);
    if (place.growth == kInfinity) place = best_anywhere(routes, customer);
    if (place.growth == kInfinity) place = {0, 0, routes.empty_route()};
    growth += routes.insert(customer, place.previous, place.route);
  }
  return growth;
}

GreedyInsertion::Place GreedyInsertion::best_near(const LinkedRoutes& routes,
                                                  std::uint32_t customer, Rng& rng) {
  Place best{kInfinity, 0, 0};
  const DistanceTable& distance = *distance_;
  const double to_depot = from_depot_[customer];
  for (std::uint32_t r = 0; r < routes.routes(); ++r) {
    const LinkedRoutes::RouteEnds& ends = routes.route(r);
    if (ends.stops == 0 || !routes.fits(customer, r)) continue;
    const double front = to_depot + distance(customer, ends.first) - from_depot_[ends.first];
    if (front < best.growth && !blink(rng)) best = {front, 0, r};
    const double back = to_depot + distance(customer, ends.last) - from_depot_[ends.last];
    if (back < best.growth && !blink(rng)) best = {back, ends.last, r};
  }
  for (const Near& near : near_of(customer)) {
    const LinkedRoutes::Stop& stop = routes.stop(near.customer);
    // An edge is met first from its nearer end, so its other end is no nearer than this one: a
    // bound from below that spares most of the look-ups.
    const double reach = near.distance + std::min(near.distance, to_depot);
    if (reach - std::max(stop.before, stop.after) >= best.growth) continue;
    if (stop.route == LinkedRoutes::kNone || !routes.fits(customer, stop.route)) continue;
    if (reach - stop.after < best.growth) {
      const double growth =
          distance(customer, near.customer) + distance(customer, stop.next) - stop.after;
      if (growth < best.growth && !blink(rng)) best = {growth, near.customer, stop.route};
    }
    if (reach - stop.before < best.growth) {
      const double growth = distance(customer, stop.previous) + near.distance - stop.before;
      if (growth < best.growth && !blink(rng)) best = {growth, stop.previous, stop.route};
    }
  }
  return best;
}

GreedyInsertion::Place GreedyInsertion::best_anywhere(const LinkedRoutes& routes,
                                                      std::uint32_t customer) const {
  Place best{kInfinity, 0, 0};
  for (std::uint32_t r = 0; r < routes.routes(); ++r) {
    const LinkedRoutes::RouteEnds& ends = routes.route(r);
    if (ends.stops == 0 || !routes.fits(customer, r)) continue;
    std::uint32_t previous = 0;
    for (std::uint32_t next = ends.first;; next = routes.stop(next).next) {
      const double replaced = next != 0 ? routes.stop(next).before : routes.stop(previous).after;
      const double growth =
          (*distance_)(customer, previous) + (*distance_)(customer, next) - replaced;
      if (growth < best.growth) best = {growth, previous, r};
      if (next == 0) break;
      previous = next;
    }
  }
  return best;
}

}  // namespace eco
