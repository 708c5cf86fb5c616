#include "train/data/completion.h"

#include <algorithm>
#include <utility>

#include "core/expert/tsp/path.h"
#include "train/data/random_segment.h"

namespace eco::train {

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

Segment completed(Segment state, bool reversed, double forced_share, std::uint64_t effort,
                  std::uint64_t seed) {
  IlsOptions options;
  options.iterations = effort;
  options.seed = seed;
  if (reversed) std::swap(state.current, state.destination);
  state.path =
      solve_path(*state.instance, state.current, state.unvisited, state.destination, options);
  state.path.resize(forced_steps(state.unvisited.size(), forced_share));
  return state;
}

}  // namespace eco::train
