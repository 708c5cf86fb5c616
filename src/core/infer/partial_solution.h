#pragma once
// One rollout of the sequential constructor. Positions are canonical; a choice is the position of
// the node that comes next, or with detours (ModelConfig::detours) that plus the number of nodes,
// for a customer by way of the depot.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/geometry/kd_tree.h"
#include "core/infer/pointer.h"
#include "core/problem/problem.h"

namespace eco {

// One solution under construction: the state of the problem and which nodes the policy may look at.
template <class State>
class PartialSolution {
 public:
  // candidates: score only that many of the nearest open nodes.
  PartialSolution(const PointerEncoding::View& encoded, std::optional<std::size_t> candidates,
                  bool detours)
      : state_(*encoded.instance),
        encoded_(encoded),
        candidates_(candidates.value_or(0)),
        has_depot_(encoded.instance->has_depot()),
        detours_(detours) {
    const std::vector<NodeId>& order = *encoded.order;
    if (candidates) {
      std::vector<Point> points;
      points.reserve(order.size());
      for (const NodeId node : order) points.push_back(encoded.instance->points[node.index()]);
      tree_.emplace(points);
      if (has_depot_) tree_->remove(0);
    } else {
      const std::uint32_t first = has_depot_ ? 1 : 0;
      open_.resize(order.size() - first);
      std::iota(open_.begin(), open_.end(), first);
    }
    // A start that is given.
    if (begun() && !has_depot_) position_ = first_ = position_of(state_.current());
    state_.take_forced();
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State& state() { return state_; }
  [[nodiscard]] const PointerEncoding::View& encoded() const { return encoded_; }
  // Whether there is a last node; always with a depot.
  [[nodiscard]] bool begun() const { return !state_.solution().sequence.empty(); }
  [[nodiscard]] std::uint32_t position() const { return position_; }  // of the last node
  [[nodiscard]] std::uint32_t first() const { return first_; }        // of the first one

  // Where the solution ends: at the depot, at an end that is given, or where it began.
  [[nodiscard]] std::uint32_t destination() const {
    if (has_depot_) return 0;
    return encoded_.instance->end ? position_of(*encoded_.instance->end) : first_;
  }

  // What may come next, ascending. `buffer` may hold the result.
  [[nodiscard]] std::span<const std::uint32_t> propose(std::vector<std::uint32_t>& buffer) {
    if (!tree_ && !State::kMasks) return open_;
    buffer.clear();
    if (has_depot_ && !detours_ && state_.feasible(kDepot)) buffer.push_back(0);
    // From the depot every way is one by way of the depot.
    const bool direct = !detours_ || state_.feasible(kDepot);
    const std::span<const std::uint32_t> open = tree_ ? nearest() : open_;
    for (const std::uint32_t position : open) {
      if (direct && state_.feasible(node_at(position))) buffer.push_back(position);
    }
    if (!detours_) return buffer;
    const std::uint32_t nodes = count();
    for (const std::uint32_t position : open) buffer.push_back(nodes + position);
    return buffer;
  }

  // The node that a choice leads to.
  [[nodiscard]] NodeId node_of(std::uint32_t choice) const { return node_at(choice % count()); }
  // The choice with which these steps begin, which are not empty.
  [[nodiscard]] std::uint32_t choice_of(std::span<const NodeId> steps) const {
    if (!detours_) return position_of(steps[0]);
    if (steps[0] == kDepot) return count() + position_of(steps[1]);
    return position_of(steps[0]) + (state_.feasible(kDepot) ? 0 : count());
  }

  void commit(std::uint32_t choice) {
    const std::uint32_t position = choice % count();
    if (choice != position && state_.feasible(kDepot)) state_.step(kDepot);
    if (tree_) {
      if (tree_->contains(position)) tree_->remove(position);
    } else {
      const auto found = std::lower_bound(open_.begin(), open_.end(), position);
      if (found != open_.end() && *found == position) open_.erase(found);
    }
    if (!begun()) first_ = position;
    position_ = position;
    state_.step(node_at(position));
    state_.take_forced();
  }

 private:
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(encoded_.order->size());
  }
  [[nodiscard]] NodeId node_at(std::uint32_t position) const { return (*encoded_.order)[position]; }
  [[nodiscard]] std::uint32_t position_of(NodeId node) const {
    const std::vector<NodeId>& order = *encoded_.order;
    return static_cast<std::uint32_t>(std::find(order.begin(), order.end(), node) - order.begin());
  }
  // Of the open nodes, ascending.
  [[nodiscard]] std::span<const std::uint32_t> nearest() {
    near_.clear();
    const Point& here = encoded_.instance->points[node_at(position_).index()];
    for (const PointNeighbour& near : tree_->nearest(here, candidates_)) {
      near_.push_back(near.index);
    }
    std::sort(near_.begin(), near_.end());
    return near_;
  }

  State state_;
  PointerEncoding::View encoded_;
  std::vector<std::uint32_t> open_, near_;
  std::optional<KdTree> tree_;
  std::size_t candidates_;
  bool has_depot_;  // at position 0, open by its own rule
  bool detours_;
  std::uint32_t position_ = 0, first_ = 0;
};

}  // namespace eco
