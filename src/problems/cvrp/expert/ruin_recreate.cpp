#include "problems/cvrp/expert/ruin_recreate.h"

#include <cmath>

#include "core/problem/problem.h"

namespace eco {

namespace {

// Changes below this are rounding noise, not progress; relative to the cost of the whole solution.
constexpr double kBestTolerance = 1e-12;

}  // namespace

RuinRecreate::RuinRecreate(const Instance& instance, const DistanceTable& distance,
                           const NeighbourLists& neighbours, const TiedEnds& fragments,
                           const Solution& start, std::uint64_t seed)
    : rng_(seed),
      routes_(instance, distance, to_routes(start), fragments),
      removal_(neighbours, fragments.stops(instance.customers()), {}),
      insertion_(instance, distance, neighbours, fragments, {}),
      cost_(cost(instance, start)),
      best_cost_(cost_),
      best_routes_(to_routes(start)),
      is_changed_(best_routes_.size(), 0) {}

void RuinRecreate::assign(Routes routes, const Rng& rng) {
  rng_ = rng;
  insertion_.restart(rng_);
  cost_ = best_cost_ = routes_.assign(routes);
  std::vector<std::uint32_t> stops;
  for (const Route& route : routes) {
    for (const NodeId node : route) stops.push_back(static_cast<std::uint32_t>(node.index()));
  }
  removal_.set_stops(std::move(stops));
  is_changed_.assign(routes.size(), 0);
  changed_.clear();
  best_routes_ = std::move(routes);
}

Routes RuinRecreate::routes() const {
  Routes routes;
  for (std::uint32_t route = 0; route < routes_.routes(); ++route) {
    if (routes_.route(route).stops > 0) routes.push_back(routes_.nodes_of(route));
  }
  return routes;
}

void RuinRecreate::step(double temperature) {
  removed_.clear();
  absent_.clear();
  const double saved = removal_.ruin(routes_, rng_, removed_);
  for (const Removal& removal : removed_) absent_.push_back(removal.head);

  // Known before rebuilding, so a hopeless rebuild can stop half way.
  const double allowance = -temperature * std::log(1.0 - rng_.uniform()) - saved;
  std::size_t inserted = 0;
  const double growth = insertion_.recreate(routes_, rng_, absent_, allowance, inserted);
  if (growth > allowance || inserted < absent_.size()) {
    undo(inserted);
    return;
  }
  cost_ += saved + growth;
  mark_changed();
  if (cost_ < best_cost_ * (1.0 - kBestTolerance)) save_best();
}

void RuinRecreate::undo(std::size_t inserted) {
  while (inserted > 0) routes_.remove(absent_[--inserted]);
  for (std::size_t i = removed_.size(); i > 0; --i) {
    const Removal& removal = removed_[i - 1];
    routes_.insert(removal.head, removal.previous, removal.route);
  }
}

void RuinRecreate::mark_changed() {
  is_changed_.resize(routes_.routes(), 0);
  const auto mark = [&](std::uint32_t route) {
    if (is_changed_[route] != 0) return;
    is_changed_[route] = 1;
    changed_.push_back(route);
  };
  for (const Removal& removal : removed_) {
    mark(removal.route);
    mark(routes_.stop(removal.head).route);
  }
}

void RuinRecreate::save_best() {
  best_cost_ = cost_;
  best_routes_.resize(routes_.routes());
  for (const std::uint32_t route : changed_) {
    best_routes_[route] = routes_.nodes_of(route);
    is_changed_[route] = 0;
  }
  changed_.clear();
}

}  // namespace eco
