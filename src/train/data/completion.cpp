#include "train/data/completion.h"

#include <algorithm>
#include <utility>

#include "core/expert/tsp/path.h"
#include "train/data/expert.h"
#include "train/data/label_order.h"
#include "train/data/random_segment.h"

namespace eco::train {

namespace {

std::vector<Visit> visits_of(const Rollout& rollout) {
  std::vector<Visit> visits;
  for (const eco::Segment& segment : rollout.segments) {
    for (std::size_t i = 0; i < segment.nodes.size(); ++i) {
      visits.push_back({segment.nodes[i], segment.via_depot[i] != 0});
    }
  }
  return visits;
}

// The expert's routes for some of the customers, in the order in which a vehicle that comes from
// `from` takes them.
std::vector<Visit> planned(const Instance& instance, std::span<const Visit> open, NodeId from,
                           std::uint64_t effort, std::uint64_t seed) {
  Instance rest;
  rest.kind = ProblemKind::cvrp;
  rest.metric = instance.metric;
  rest.rounding = instance.rounding;
  rest.capacity = instance.capacity;
  rest.points = {instance.points[kDepot.index()]};
  rest.demands = {0};
  for (const Visit& visit : open) {
    rest.points.push_back(instance.points[visit.node.index()]);
    rest.demands.push_back(instance.demands[visit.node.index()]);
  }
  label_instance(rest, effort, seed);
  Routes routes = to_routes(*rest.reference);
  for (Route& route : routes) {
    for (NodeId& node : route) node = open[node.index() - 1].node;
  }
  const Entry entry = nearest_entry(instance, from, routes);
  std::vector<Visit> plan =
      chained_routes(instance, from_routes(routes), entry.route, entry.reversed);
  plan.front().via_depot = from != kDepot;
  return plan;
}

}  // namespace

std::vector<Segment> visited_states(const Instance& instance, const Rollout& rollout) {
  std::vector<bool> visited(instance.size());
  std::vector<Segment> states;
  states.reserve(rollout.segments.size());
  for (const eco::Segment& from : rollout.segments) {
    Segment state{&instance, from.current, from.destination, {}, 0, from.nodes, {}};
    visited[from.current.index()] = visited[from.destination.index()] = true;
    state.unvisited.reserve(from.unvisited);
    for (std::size_t node = 0; node < instance.size(); ++node) {
      if (!visited[node]) state.unvisited.emplace_back(node);
    }
    for (const NodeId node : from.nodes) visited[node.index()] = true;
    states.push_back(std::move(state));
  }
  return states;
}

Segment completed_tour(Segment state, bool reversed, const CompletionOptions& options,
                       std::uint64_t seed) {
  IlsOptions search;
  search.iterations = options.effort;
  search.seed = seed;
  if (reversed) std::swap(state.current, state.destination);
  state.path =
      solve_path(*state.instance, state.current, state.unvisited, state.destination, search);
  state.path.resize(forced_steps(ProblemKind::tsp, state.unvisited.size(), options.forced_share));
  cut_to_window(state, options.window, options.forced_share);
  return state;
}

std::vector<Segment> completed_plan(const Instance& instance, const Rollout& rollout,
                                    std::span<const std::size_t> chosen,
                                    const CompletionOptions& options, Rng& rng) {
  const std::size_t experts = options.experts == 0 ? chosen.size() : options.experts;
  const std::size_t each = (chosen.size() + experts - 1) / experts;  // states of one expert plan
  std::vector<Visit> plan = visits_of(rollout);
  const std::vector<Visit> own = plan;
  std::vector<Segment> states;
  states.reserve(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::size_t done = chosen[i];
    if (i % each == 0) {
      // The customer before which the vehicle left the depot for the last time.
      std::size_t begin = done;
      while (begin > 0 && !own[begin].via_depot) --begin;
      const NodeId from = begin == 0 ? kDepot : own[begin - 1].node;
      plan = own;
      const auto rest =
          planned(instance, std::span(own).subspan(begin), from, options.effort, rng.next_u64());
      std::copy(rest.begin(), rest.end(), plan.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    states.push_back(state_of_plan(instance, plan, own.size() - done, options.forced_share));
  }
  return states;
}

std::vector<Segment> completions(const Instance& instance, const Rollout& rollout,
                                 std::span<const std::size_t> chosen,
                                 const CompletionOptions& options, Rng& rng) {
  if (instance.kind == ProblemKind::cvrp) {
    return completed_plan(instance, rollout, chosen, options, rng);
  }
  std::vector<Segment> states = visited_states(instance, rollout);
  std::vector<Segment> result;
  result.reserve(chosen.size());
  for (const std::size_t index : chosen) {
    const bool reversed = rng.below(2) == 1;
    result.push_back(
        completed_tour(std::move(states.at(index)), reversed, options, rng.next_u64()));
  }
  return result;
}

}  // namespace eco::train
