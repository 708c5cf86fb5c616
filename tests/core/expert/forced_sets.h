#pragma once
// Sets of edges to force, and whether a solution has them.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco::testing {

inline constexpr std::array kForcedShares{0.1, 0.3, 0.5, 0.8, 0.97};

// All edges of a solution; of a tour, the closing one too.
inline std::vector<Edge> solution_edges(const Instance& instance, const Solution& solution) {
  std::vector<Edge> edges;
  const auto& sequence = solution.sequence;
  for (std::size_t i = 1; i < sequence.size(); ++i) edges.push_back({sequence[i - 1], sequence[i]});
  if (instance.kind == ProblemKind::tsp && sequence.size() > 1) {
    edges.push_back({sequence.back(), sequence.front()});
  }
  return edges;
}

// Each edge with probability `share`, in random order and direction.
inline std::vector<Edge> some_of(const std::vector<Edge>& edges, double share, Rng& rng) {
  std::vector<Edge> some;
  for (const Edge& edge : edges) {
    if (rng.uniform() >= share) continue;
    some.push_back(rng.below(2) == 0 ? edge : Edge{edge.b, edge.a});
  }
  rng.shuffle(std::span(some));
  return some;
}

// Whether the solution has all of these edges, each as often as it is asked for.
inline bool has_edges(const Instance& instance, const Solution& solution,
                      const std::vector<Edge>& wanted) {
  const auto sorted = [](const std::vector<Edge>& edges) {
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (const Edge& edge : edges) pairs.push_back(std::minmax(edge.a, edge.b));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  const auto all = sorted(solution_edges(instance, solution)), some = sorted(wanted);
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

inline std::vector<Edge> edges_between(const std::vector<std::pair<int, int>>& pairs) {
  std::vector<Edge> edges;
  for (const auto& [a, b] : pairs) {
    edges.push_back({NodeId(static_cast<std::size_t>(a)), NodeId(static_cast<std::size_t>(b))});
  }
  return edges;
}

// What eco::Error (input) the call ends with; empty: none.
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    (void)call();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::input ? error.what() : "another kind of error";
  }
  return {};
}

}  // namespace eco::testing
