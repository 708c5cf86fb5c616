#include "core/expert/cvrp/string_removal.h"

#include <algorithm>

namespace eco {

namespace {

// floor of a uniform draw from [1, limit + 1), the paper's way of drawing lengths and counts.
std::uint32_t draw_up_to(double limit, Rng& rng) {
  return static_cast<std::uint32_t>(rng.uniform(1.0, limit + 1.0));
}

}  // namespace

double StringRemoval::ruin(LinkedRoutes& routes, Rng& rng, std::vector<Removal>& removed) {
  const double mean_stops =
      static_cast<double>(customers_) / static_cast<double>(routes.used_routes());
  const double longest = std::min(options_.longest_string, mean_stops);
  const double most_strings = std::max(1.0, 4.0 * options_.mean_removed / (1.0 + longest) - 1.0);
  const std::uint32_t strings = draw_up_to(most_strings, rng);
  const auto seed =
      static_cast<std::uint32_t>(1 + rng.below(static_cast<std::uint32_t>(customers_)));

  ruined_.clear();
  double change = 0;
  const auto ruin_route_of = [&](std::uint32_t customer) {
    const std::uint32_t route = routes.stop(customer).route;
    if (route == LinkedRoutes::kNone ||
        std::find(ruined_.begin(), ruined_.end(), route) != ruined_.end()) {
      return;
    }
    const double limit = std::min(longest, static_cast<double>(routes.route(route).stops));
    change += remove_string(routes, customer, draw_up_to(limit, rng), rng, removed);
    ruined_.push_back(route);
  };
  ruin_route_of(seed);
  for (const std::uint32_t customer : neighbours_->of(seed)) {
    if (ruined_.size() >= strings) break;
    ruin_route_of(customer);
  }
  return change;
}

double StringRemoval::remove_string(LinkedRoutes& routes, std::uint32_t customer,
                                    std::uint32_t length, Rng& rng, std::vector<Removal>& removed) {
  const std::uint32_t route = routes.stop(customer).route;
  const std::uint32_t stops = routes.route(route).stops;
  std::uint32_t kept = 0;
  if (length > 1 && length < stops && rng.uniform() < options_.split_probability) {
    kept = 1;
    while (length + kept < stops && rng.uniform() < options_.split_growth) ++kept;
  }
  const std::uint32_t span = length + kept;

  // Slide a window of `span` stops over the customer: walk back as far as drawn and possible.
  std::uint32_t first = customer;
  std::uint32_t behind = 0;  // stops between `first` and the customer
  for (std::uint32_t wanted = rng.below(span); behind < wanted; ++behind) {
    if (routes.stop(first).previous == 0) break;
    first = routes.stop(first).previous;
  }
  // Near the end of the route the window has to start earlier.
  std::uint32_t ahead = 0;
  for (std::uint32_t c = customer; behind + 1 + ahead < span && routes.stop(c).next != 0; ++ahead) {
    c = routes.stop(c).next;
  }
  for (; behind + 1 + ahead < span; ++behind) first = routes.stop(first).previous;

  // The kept stops lie anywhere strictly inside the window.
  const std::uint32_t keep_from = kept == 0 ? span : 1 + rng.below(length - 1);
  double change = 0;
  std::uint32_t next = first;
  for (std::uint32_t place = 0; place < span; ++place) {
    const std::uint32_t current = next;
    next = routes.stop(current).next;
    if (place >= keep_from && place < keep_from + kept) continue;
    removed.push_back({current, routes.stop(current).previous, route});
    change += routes.remove(current);
  }
  return change;
}

}  // namespace eco
