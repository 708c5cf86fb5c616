#include "problems/cvrp/expert/string_removal.h"

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
      static_cast<double>(stops_.size()) / static_cast<double>(routes.used_routes());
  const double longest = std::min(options_.longest_string, mean_stops);
  const double most_strings = std::max(1.0, 4.0 * options_.mean_removed / (1.0 + longest) - 1.0);
  const std::uint32_t strings = draw_up_to(most_strings, rng);
  std::uint32_t seed = stops_[rng.below(static_cast<std::uint32_t>(stops_.size()))];
  const std::uint32_t other = routes.fragments().other_end(seed);
  if (other != seed && rng.below(2) == 0) seed = other;

  ruined_.clear();
  double change = 0;
  const auto ruin_route_of = [&](std::uint32_t node) {
    const std::uint32_t route = routes.stop(node).route;
    if (route == LinkedRoutes::kNone ||
        std::find(ruined_.begin(), ruined_.end(), route) != ruined_.end()) {
      return;
    }
    const double limit = std::min(longest, static_cast<double>(routes.route(route).stops));
    change += remove_string(routes, routes.head_of(node), draw_up_to(limit, rng), rng, removed);
    ruined_.push_back(route);
  };
  ruin_route_of(seed);
  for (const std::uint32_t node : neighbours_->of(seed)) {
    if (ruined_.size() >= strings) break;
    ruin_route_of(node);
  }
  return change;
}

double StringRemoval::remove_string(LinkedRoutes& routes, std::uint32_t head, std::uint32_t length,
                                    Rng& rng, std::vector<Removal>& removed) {
  const std::uint32_t route = routes.stop(head).route;
  const std::uint32_t stops = routes.route(route).stops;
  std::uint32_t kept = 0;
  if (length > 1 && length < stops && rng.uniform() < options_.split_probability) {
    kept = 1;
    while (length + kept < stops && rng.uniform() < options_.split_growth) ++kept;
  }
  const std::uint32_t span = length + kept;

  // Slide a window of `span` stops over the stop: walk back as far as drawn and possible.
  std::uint32_t first = head;
  std::uint32_t behind = 0;  // stops between `first` and that one
  for (std::uint32_t wanted = rng.below(span); behind < wanted; ++behind) {
    const std::uint32_t before = routes.stop_before(first);
    if (before == 0) break;
    first = before;
  }
  // Near the end of the route the window has to start earlier.
  std::uint32_t ahead = 0;
  for (std::uint32_t stop = head; behind + 1 + ahead < span; ++ahead) {
    stop = routes.stop_after(stop);
    if (stop == 0) break;
  }
  for (; behind + 1 + ahead < span; ++behind) first = routes.stop_before(first);

  // The kept stops lie anywhere strictly inside the window.
  const std::uint32_t keep_from = kept == 0 ? span : 1 + rng.below(length - 1);
  double change = 0;
  std::uint32_t next = first;
  for (std::uint32_t place = 0; place < span; ++place) {
    const std::uint32_t current = next;
    next = routes.stop_after(current);
    if (place >= keep_from && place < keep_from + kept) continue;
    removed.push_back({current, routes.stop(current).previous, route});
    change += routes.remove(current);
  }
  return change;
}

}  // namespace eco
