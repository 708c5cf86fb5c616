#pragma once
// One rollout of the sequential constructor. Positions are canonical.

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
  PartialSolution(const PointerEncoding::View& encoded, std::optional<std::size_t> candidates)
      : state_(*encoded.instance),
        encoded_(encoded),
        candidates_(candidates.value_or(0)),
        has_depot_(encoded.instance->has_depot()) {
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
    if (begun() && !has_depot_) {  // a start that is given
      position_ = first_ = static_cast<std::uint32_t>(
          std::find(order.begin(), order.end(), state_.current()) - order.begin());
    }
    state_.take_forced();
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State& state() { return state_; }
  [[nodiscard]] const PointerEncoding::View& encoded() const { return encoded_; }
  // Whether there is a last node; always with a depot.
  [[nodiscard]] bool begun() const { return !state_.solution().sequence.empty(); }
  [[nodiscard]] std::uint32_t position() const { return position_; }  // of the last node
  [[nodiscard]] std::uint32_t first() const { return first_; }        // of the first one

  // Positions that may come next, ascending. `buffer` may hold the result.
  [[nodiscard]] std::span<const std::uint32_t> propose(std::vector<std::uint32_t>& buffer) {
    if (!tree_ && !State::kMasks) return open_;
    buffer.clear();
    if (has_depot_ && state_.feasible(kDepot)) buffer.push_back(0);
    const auto offer = [&](std::uint32_t position) {
      if (state_.feasible((*encoded_.order)[position])) buffer.push_back(position);
    };
    if (tree_) {
      const NodeId here = (*encoded_.order)[position_];
      for (const PointNeighbour& near :
           tree_->nearest(encoded_.instance->points[here.index()], candidates_)) {
        offer(near.index);
      }
      std::sort(buffer.begin(), buffer.end());
    } else {
      for (const std::uint32_t position : open_) offer(position);
    }
    return buffer;
  }

  void commit(std::uint32_t position) {
    if (tree_) {
      if (tree_->contains(position)) tree_->remove(position);
    } else {
      const auto found = std::lower_bound(open_.begin(), open_.end(), position);
      if (found != open_.end() && *found == position) open_.erase(found);
    }
    if (!begun()) first_ = position;
    position_ = position;
    state_.step((*encoded_.order)[position]);
    state_.take_forced();
  }

 private:
  State state_;
  PointerEncoding::View encoded_;
  std::vector<std::uint32_t> open_;
  std::optional<KdTree> tree_;
  std::size_t candidates_;
  bool has_depot_;  // at position 0, open by its own rule
  std::uint32_t position_ = 0, first_ = 0;
};

}  // namespace eco
