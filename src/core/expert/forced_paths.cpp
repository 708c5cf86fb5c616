#include "core/expert/forced_paths.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/problem/capacity.h"
#include "core/problem/check.h"

namespace eco {

namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::input, reason);
}

std::string between(const Instance& instance, std::size_t a, std::size_t b) {
  return "between " + node_name(instance, NodeId(a)) + " and " + node_name(instance, NodeId(b));
}

}  // namespace

ForcedPaths::ForcedPaths(const Instance& instance, std::span<const Edge> edges)
    : depot_(instance.has_depot() ? 0 : kNoDepot) {
  if (edges.empty()) return;
  links_.assign(instance.size(), {kNone, kNone});
  other_end_.resize(instance.size());
  std::iota(other_end_.begin(), other_end_.end(), 0U);
  for (const Edge& edge : edges) add(instance, edge);
  if (instance.has_depot()) check_loads(instance);
}

void ForcedPaths::add(const Instance& instance, const Edge& edge) {
  const std::size_t a = edge.a.index(), b = edge.b.index(), nodes = instance.size();
  if (std::max(a, b) >= nodes) {
    refuse("a forced edge names node number " + std::to_string(std::max(a, b) + 1) +
           ", which is not in the instance (" + std::to_string(nodes) + " nodes)");
  }
  if (a == b) refuse("a forced edge goes from " + node_name(instance, edge.a) + " to itself");
  const bool last_of_tour = depot_ == kNoDepot && edges_ + 1 == nodes;
  if (a != depot_ && b != depot_) {
    const bool there_and_back = depot_ == kNoDepot && nodes == 2;  // a tour with one edge twice
    if ((links_[a][0] == b || links_[a][1] == b) && !there_and_back) {
      refuse("the forced edge " + between(instance, a, b) + " is given twice");
    }
    if (is_end(a) && is_end(b) && other_end_[a] == b) {
      // As many edges as nodes and no cycle before: this one closes the path through all of them.
      if (!last_of_tour) {
        refuse("the forced edge " + between(instance, a, b) + " closes a cycle " +
               (depot_ == kNoDepot ? "before all nodes are in it" : "that misses the depot"));
      }
      whole_tour_ = true;
    }
  }
  if (a != depot_) link(instance, a, b);
  if (b != depot_) link(instance, b, a);
  ++edges_;
  if (a == depot_ || b == depot_) return;
  const std::uint32_t far_a = other_end_[a], far_b = other_end_[b];
  other_end_[far_a] = far_b;
  other_end_[far_b] = far_a;
}

void ForcedPaths::link(const Instance& instance, std::size_t node, std::size_t to) {
  auto& links = links_[node];
  if (links[1] != kNone) refuse(node_name(instance, NodeId(node)) + " has three forced edges");
  links[links[0] == kNone ? 0 : 1] = static_cast<std::uint32_t>(to);
}

void ForcedPaths::check_loads(const Instance& instance) const {
  for (std::uint32_t node = 1; node < links_.size(); ++node) {
    if (!is_end(node) || other_end_[node] <= node) continue;  // every path once, from one end
    const std::int64_t carried = load(instance, node);
    if (fits(carried, instance.capacity)) continue;
    refuse("the forced path " + between(instance, node, other_end_[node]) + " carries " +
           std::to_string(carried) + ", more than the capacity " +
           std::to_string(instance.capacity));
  }
}

template <class Visit>
void ForcedPaths::walk(std::uint32_t end, const Visit& visit) const {
  for (std::uint32_t before = kNone, node = end; node != kNone;) {
    visit(NodeId(node));
    std::uint32_t onward = kNone;
    for (const std::uint32_t link : links_[node]) {
      if (is_inner(link) && link != before) onward = link;
    }
    before = node;
    node = onward == end ? kNone : onward;
  }
}

void ForcedPaths::append_path(std::uint32_t end, std::vector<NodeId>& nodes) const {
  walk(end, [&](NodeId node) { nodes.push_back(node); });
}

std::int64_t ForcedPaths::load(const Instance& instance, std::uint32_t end) const {
  std::int64_t sum = 0;
  walk(end, [&](NodeId node) { sum += instance.demands[node.index()]; });
  return sum;
}

double ForcedPaths::require_start(const Instance& instance, const Solution& start) const {
  const CheckResult judged = check(instance, start);
  if (!judged.feasible && !judged.lacks_vehicles)
    refuse("the start is no solution: " + judged.reason);
  if (empty()) return judged.cost;
  const auto& sequence = start.sequence;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const std::size_t node = sequence[i].index();
    if (node == depot_) continue;
    const std::size_t before = sequence[i == 0 ? sequence.size() - 1 : i - 1].index();
    const std::size_t behind = sequence[i + 1 == sequence.size() ? 0 : i + 1].index();
    const auto [one, two] = links_[node];
    const bool kept = two == kNone
                          ? one == kNone || one == before || one == behind
                          : (one == before && two == behind) || (one == behind && two == before);
    if (!kept) {
      refuse("the start lacks a forced edge of " + node_name(instance, sequence[i]));
    }
  }
  return judged.cost;
}

}  // namespace eco
