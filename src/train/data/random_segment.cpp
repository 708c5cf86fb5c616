#include "train/data/random_segment.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/model/window.h"
#include "train/data/label_order.h"

namespace eco::train {

namespace {

constexpr std::size_t kFewUnvisited = 8;  // the engine decodes these from one encoding
constexpr std::size_t kRoute = 12;        // and so a usual route

void cut_tour(const std::vector<NodeId>& tour, std::size_t unvisited, Segment& segment) {
  segment.current = tour[0];
  segment.unvisited.assign(tour.begin() + 1,
                           tour.begin() + 1 + static_cast<std::ptrdiff_t>(unvisited));
  segment.destination = tour[(unvisited + 1) % tour.size()];
}

// The steps that are learned are the first ones of the unvisited nodes, which stand in their order.
void begin_path(Segment& segment, double forced_share) {
  const std::size_t steps =
      forced_steps(segment.instance->kind, segment.unvisited.size(), forced_share);
  segment.path.assign(segment.unvisited.begin(),
                      segment.unvisited.begin() + static_cast<std::ptrdiff_t>(steps));
  if (!segment.via.empty()) segment.via.resize(steps);
}

}  // namespace

std::size_t forced_steps(ProblemKind problem, std::size_t unvisited, double share) {
  const std::size_t fewest = problem == ProblemKind::cvrp ? kRoute : kFewUnvisited;
  if (unvisited <= fewest) return unvisited;
  const auto steps = static_cast<std::size_t>(std::ceil(share * static_cast<double>(unvisited)));
  return std::clamp(steps, problem == ProblemKind::cvrp ? fewest : 1, unvisited);
}

Segment random_segment(const Instance& instance, std::size_t unvisited, double forced_share,
                       Rng& rng) {
  const Solution& label = instance.reference.value();
  Segment segment;
  segment.instance = &instance;
  if (instance.kind == ProblemKind::tsp) {
    assert(unvisited >= 1 && unvisited < instance.size());
    cut_tour(random_start(label, rng), unvisited, segment);
  } else {
    assert(unvisited >= 1 && unvisited <= instance.customers());
    const std::size_t first = rng.below(static_cast<std::uint32_t>(to_routes(label).size()));
    return state_of_plan(instance, chained_routes(instance, label, first, rng.below(2) == 1),
                         unvisited, forced_share);
  }
  begin_path(segment, forced_share);
  return segment;
}

void cut_to_window(Segment& segment, std::size_t window, double forced_share) {
  if (window == 0 || segment.unvisited.size() <= window) return;
  segment.unvisited = window_of(*segment.instance, segment.current, segment.unvisited, window);
  segment.cut = true;
  segment.path.resize(
      std::min(segment.path.size(), forced_steps(ProblemKind::tsp, window, forced_share)));
  const auto beyond = std::find_if(segment.path.begin(), segment.path.end(), [&](NodeId node) {
    return !std::binary_search(segment.unvisited.begin(), segment.unvisited.end(), node);
  });
  segment.path.erase(beyond, segment.path.end());
}

Segment state_of_plan(const Instance& instance, std::span<const Visit> plan, std::size_t unvisited,
                      double forced_share) {
  Segment segment;
  segment.instance = &instance;
  segment.current = segment.destination = kDepot;
  segment.remaining = instance.capacity;
  const std::size_t done = plan.size() - unvisited;
  for (std::size_t i = 0; i < done; ++i) {
    if (plan[i].via_depot) segment.remaining = instance.capacity;
    segment.remaining -= instance.demands[plan[i].node.index()];
    segment.current = plan[i].node;
  }
  for (std::size_t i = done; i < plan.size(); ++i) {
    segment.unvisited.push_back(plan[i].node);
    segment.via.push_back(plan[i].via_depot ? 1 : 0);
  }
  begin_path(segment, forced_share);
  return segment;
}

}  // namespace eco::train
