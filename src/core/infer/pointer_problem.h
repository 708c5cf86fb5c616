#pragma once
// What the two problems do differently under the sequential constructor: their forced steps, their
// dynamic features and their mask. Positions are canonical.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/infer/pointer.h"
#include "core/problem/problem.h"
#include "core/search/neighbours_tree.h"

namespace eco {

template <class State>
struct PointerProblem;

template <>
struct PointerProblem<TspState> {
  // The first node is given, not chosen.
  static bool forced_start(const TspState& state, std::size_t) { return state.steps() == 0; }
  static constexpr std::uint32_t kFirstOpen = 0;
  static std::size_t most_steps(std::size_t nodes) { return nodes; }
  static void dynamic(const TspState&, const Instance&, float*) {}
  static bool masks() { return false; }  // every open node is feasible
  static bool depot_feasible(const TspState&) { return false; }
  static void finish(TspState&) {}
};

template <>
struct PointerProblem<CvrpState> {
  // The first customer is given if it has a position; the depot's stands for none.
  static bool forced_start(const CvrpState& state, std::size_t start) {
    return start > 0 && state.solution().sequence.size() == 1;
  }
  static constexpr std::uint32_t kFirstOpen = 1;  // position 0 is the depot, open by its own rule
  static std::size_t most_steps(std::size_t nodes) { return 2 * nodes; }  // a depot a customer
  static void dynamic(const CvrpState& state, const Instance& instance, float* out) {
    out[0] = static_cast<float>(static_cast<double>(state.remaining_capacity()) /
                                static_cast<double>(instance.capacity));
    out[1] = state.current() == kDepot ? 1.0F : 0.0F;
  }
  static bool masks() { return true; }
  static bool depot_feasible(const CvrpState& state) { return state.feasible(kDepot); }
  // The last depot is forced.
  static void finish(CvrpState& state) {
    if (state.customers_left() == 0 && !state.done()) state.step(kDepot);
  }
};

// One solution under construction: the state of the problem and which nodes the policy may look at.
template <class State>
class PointerRow {
 public:
  using Problem = PointerProblem<State>;

  // candidates: score only that many of the nearest open nodes; 0: all.
  PointerRow(const PointerEncoding::View& encoded, std::size_t candidates)
      : state_(*encoded.instance), encoded_(encoded), candidates_(candidates) {
    const std::vector<NodeId>& order = *encoded.order;
    if (candidates > 0) {
      std::vector<Point> points;
      points.reserve(order.size());
      for (const NodeId node : order) points.push_back(encoded.instance->points[node.index()]);
      tree_.emplace(points);
      for (std::uint32_t p = 0; p < Problem::kFirstOpen; ++p) tree_->remove(p);
    } else {
      open_.resize(order.size() - Problem::kFirstOpen);
      std::iota(open_.begin(), open_.end(), Problem::kFirstOpen);
    }
    Problem::finish(state_);
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State& state() { return state_; }
  [[nodiscard]] const PointerEncoding::View& encoded() const { return encoded_; }
  [[nodiscard]] std::uint32_t position() const { return position_; }  // of the last node

  // Positions that may come next, ascending. `buffer` may hold the result.
  [[nodiscard]] std::span<const std::uint32_t> feasible(std::vector<std::uint32_t>& buffer) {
    if (!tree_ && !Problem::masks()) return open_;
    buffer.clear();
    if (Problem::depot_feasible(state_)) buffer.push_back(0);
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

  void visit(std::uint32_t position) {
    if (tree_) {
      if (tree_->contains(position)) tree_->remove(position);
    } else {
      const auto found = std::lower_bound(open_.begin(), open_.end(), position);
      if (found != open_.end() && *found == position) open_.erase(found);
    }
    position_ = position;
    state_.step((*encoded_.order)[position]);
    Problem::finish(state_);
  }

  // z_t without the dynamic part: h_prev (or the learned start) + g.
  void decoder_input(const PackedModel& model, float* z) const {
    const std::size_t dim = model.config.dim;
    const float* previous = state_.steps() == 0 ? model.start.data() : encoded_.h + position_ * dim;
    for (std::size_t d = 0; d < dim; ++d) z[d] = previous[d] + encoded_.mean[d];
  }

 private:
  State state_;
  PointerEncoding::View encoded_;
  std::vector<std::uint32_t> open_;
  std::optional<NeighbourTree> tree_;
  std::size_t candidates_;
  std::uint32_t position_ = 0;
};

}  // namespace eco
