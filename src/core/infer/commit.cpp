#include "core/infer/commit.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/kd_tree.h"
#include "core/ordering/ordering.h"

namespace eco {

namespace {

constexpr float kUnseen = 0.01F;  // certainty of a node that does not have the other in its list
constexpr float kNegligible = 0.02F;  // edges below are not looked at while there are many nodes
constexpr std::size_t kFewRows = 40;
// While an edge between customers is surer than this, nothing goes home and nothing less sure is
// made: routes grow before they end.
constexpr float kDepotWaits = 0.05F;

// How sure a node is of a candidate: a single has two places to give.
float certainty(const Fragments& state, NodeId node, float log_probability) {
  const float p = std::exp(log_probability);
  return state.degree(node) == 0 ? std::min(1.0F, 2 * p) : p;
}

float gumbel(Rng& rng) {
  return static_cast<float>(-std::log(-std::log(std::max(rng.uniform(), 1e-300))));
}

}  // namespace

CommitRule rule_of(Effort effort) {
  CommitRule rule;
  switch (effort) {
    case Effort::fast:
      rule.sure = 0.9;
      rule.neighbourhood = 6;
      rule.early = 0.6;
      break;
    case Effort::balanced:
      break;
    case Effort::thorough:
      rule.sure = 2;
      break;
  }
  return rule;
}

Choices choices_of(const MergeInput& input, std::size_t state,
                   std::span<const float> log_probabilities) {
  const std::size_t first = input.first[state], rows = input.first[state + 1] - first;
  const std::size_t k = input.width;
  return {input.depot,
          k,
          static_cast<std::uint32_t>(first),
          std::span(input.node).subspan(first, rows),
          std::span(input.count).subspan(first, rows),
          std::span(input.candidates).subspan(first * k, rows * k),
          std::span(input.back).subspan(first * k, rows * k),
          log_probabilities.subspan(first * k, rows * k)};
}

void Committer::rank(const Fragments& state, const Choices& choices, const CommitRule& rule,
                     Rng* rng) {
  ranked_.clear();
  const std::size_t k = choices.width, rows = choices.node.size();
  const float least = rows < kFewRows ? 0.0F : kNegligible;
  Candidate best{-1, 0, 0};
  const auto add = [&](float confidence, std::size_t row, std::size_t slot) {
    if (rule.temperature > 0 && rng != nullptr) {
      confidence *= std::exp(static_cast<float>(rule.temperature) * gumbel(*rng));
    }
    const Candidate edge{confidence, static_cast<std::uint32_t>(row),
                         static_cast<std::uint32_t>(slot)};
    if (confidence > best.confidence) best = edge;
    if (confidence > least) ranked_.push_back(edge);
  };
  for (std::size_t row = 0; row < rows; ++row) {
    const NodeId node = choices.node[row];
    for (std::size_t slot = 0; slot < choices.count[row]; ++slot) {
      const std::size_t place = row * k + slot;
      const float own = certainty(state, node, choices.log_probabilities[place]);
      const std::uint32_t there = choices.candidates[place] - choices.base;
      if (choices.depot && there == 0) {
        add(own, row, slot);
        // A single may go home at both ends: the second time when the depot has more than half.
        const float p = std::exp(choices.log_probabilities[place]);
        if (state.degree(node) == 0 && p > 0.6F) add(2 * p - 1, row, slot);
        continue;
      }
      const std::uint32_t back = choices.back[place];
      float other = kUnseen;
      if (back != MergeInput::kNone) {
        if (row > there) continue;  // ranked from the other side
        const std::size_t back_place = back - std::size_t{choices.base} * k;
        other = certainty(state, choices.node[there], choices.log_probabilities[back_place]);
      }
      add(std::sqrt(own * other), row, slot);
    }
  }
  if (ranked_.empty() && best.confidence >= 0) ranked_.push_back(best);
  std::sort(ranked_.begin(), ranked_.end(), [](const Candidate& a, const Candidate& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    return a.row != b.row ? a.row < b.row : a.slot < b.slot;
  });
}

void Committer::commit(Fragments& state, const Choices& choices, const CommitRule& rule, Rng* rng,
                       const std::function<bool(NodeId, NodeId)>& allowed) {
  merges_.clear();
  rank(state, choices, rule, rng);
  const std::size_t k = choices.width, fixed = choices.depot ? 1 : 0;
  const auto visited = static_cast<double>(state.nodes() - fixed);
  const bool early = static_cast<double>(state.open_nodes()) > rule.early * visited;
  const auto sure = static_cast<float>(early ? rule.early_sure : rule.sure);
  const std::size_t neighbourhood = early ? rule.early_neighbourhood : rule.neighbourhood;
  blocked_.assign(choices.node.size(), 0);
  const auto block = [&](std::size_t row) {
    blocked_[row] = 1;
    const std::size_t end = std::min<std::size_t>(choices.count[row], fixed + neighbourhood);
    for (std::size_t slot = fixed; slot < end; ++slot) {
      blocked_[choices.candidates[row * k + slot] - choices.base] = 1;
    }
  };
  const auto row_of = [&](const Candidate& edge) {
    return choices.candidates[edge.row * k + edge.slot] - choices.base;
  };
  const bool depot_waits =
      choices.depot && std::any_of(ranked_.begin(), ranked_.end(), [&](const Candidate& edge) {
        return row_of(edge) != 0 && edge.confidence > kDepotWaits;
      });
  for (const Candidate& edge : ranked_) {
    const std::uint32_t there = row_of(edge);
    const bool home = choices.depot && there == 0;
    const NodeId a = choices.node[edge.row], b = choices.node[there];
    if (depot_waits && (home || edge.confidence < kDepotWaits)) continue;
    if (home ? !state.open(a) : !state.can_link(a, b)) continue;
    const bool certain = edge.confidence >= sure;
    const bool free = blocked_[edge.row] == 0 && (home || blocked_[there] == 0);
    if (!certain) {
      block(edge.row);
      if (!home) block(there);
      if (!free) continue;
    }
    if (allowed && !allowed(a, b)) continue;
    state.add(a, b);
    merges_.push_back({a, b, edge.confidence});
  }
}

void link_greedily(Fragments& state) {
  constexpr std::size_t kNearest = 6;
  struct Link {
    double worth;
    NodeId a, b;
  };
  const auto& instance = state.instance();
  const bool depot = state.has_depot();
  std::vector<NodeId> open;
  std::vector<Point> points;
  std::vector<Link> links;
  std::vector<double> reach;  // squared distance of the farthest in a node's list
  // Along a curve, so that what is near is near in memory too.
  for (std::size_t i = depot ? 1 : 0; i < state.nodes(); ++i) {
    if (!state.open(NodeId(i))) continue;
    open.emplace_back(i);
    points.push_back(instance.points[i]);
  }
  std::vector<NodeId> along;
  for (const std::uint32_t i : order_points(points, Ordering::morton)) along.push_back(open[i]);
  for (std::size_t nearest = kNearest;;) {
    open.clear();
    points.clear();
    links.clear();
    for (const NodeId node : along) {
      if (!state.open(node)) continue;
      open.push_back(node);
      points.push_back(instance.points[node.index()]);
    }
    if (open.size() < 2 || (!depot && state.links_left() == 0)) return;
    KdTree tree(points);
    reach.assign(open.size(), 0);
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (const PointNeighbour& near :
           tree.nearest(points[i], nearest, static_cast<std::uint32_t>(i))) {
        reach[i] = near.squared_distance;
        const bool listed = near.index < i && near.squared_distance <= reach[near.index];
        const NodeId a = open[i], b = open[near.index];
        if (listed || !state.can_link(a, b)) continue;
        const double length = std::sqrt(near.squared_distance);
        const double worth =
            depot ? instance.distance(kDepot, a) + instance.distance(kDepot, b) - length : -length;
        if (!depot || worth > 0) links.push_back({worth, a, b});
      }
    }
    std::sort(links.begin(), links.end(), [](const Link& x, const Link& y) {
      if (x.worth != y.worth) return x.worth > y.worth;
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    bool progress = false;
    for (const Link& link : links) {
      if (!state.can_link(link.a, link.b)) continue;
      state.link(link.a, link.b);
      progress = true;
    }
    if (progress) continue;
    if (depot || nearest >= open.size()) return;
    nearest *= 4;  // all near ones are of the own fragment
  }
}

}  // namespace eco
