#pragma once
// The driver of local search, for any state and its operators: keeps queues of nodes that are worth
// a look (the complement of don't-look bits), asks the operators, and wakes what a move touched.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/search/local_search.h"
#include "core/search/registry.h"

namespace eco {

// First in, first out, each node at most once at a time. A ring of as many places as nodes.
class WakeQueue {
 public:
  WakeQueue() = default;
  explicit WakeQueue(std::size_t nodes) : ring_(nodes), waiting_(nodes, 0) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  void push(std::uint32_t node) {
    if (waiting_[node] != 0) return;
    waiting_[node] = 1;
    std::size_t place = head_ + count_++;
    if (place >= ring_.size()) place -= ring_.size();
    ring_[place] = node;
  }
  std::uint32_t pop() {
    const std::uint32_t node = ring_[head_];
    if (++head_ == ring_.size()) head_ = 0;
    --count_;
    waiting_[node] = 0;
    return node;
  }

 private:
  std::vector<std::uint32_t> ring_;
  std::vector<unsigned char> waiting_;
  std::size_t head_ = 0, count_ = 0;
};

struct DescentLimits {
  std::size_t max_moves = std::numeric_limits<std::size_t>::max();
  Deadline deadline;
};

struct DescentResult {
  double gain = 0;
  std::size_t moves = 0;
  bool local_optimum = false;
};

// Mode `paper`: one queue per operator; the first operator runs until its queue is empty, then the
// second, and so on; what a later one changed wakes the earlier ones for the next round. Waking
// only what a move touched can miss a move, so the end is a sweep over all nodes that finds none.
// Mode `full`: one queue; at each node the operators in turn until none improves there.
// `nodes` bounds the ids in state.scan_order().
template <SearchState State>
DescentResult descend(State& state, const Operators<State>& operators, SearchMode mode,
                      std::size_t nodes, const DescentLimits& limits) {
  DescentResult result;
  const std::size_t stages = mode == SearchMode::paper ? operators.size() : 1;
  std::vector<WakeQueue> queues(stages, WakeQueue(nodes));
  const auto wake_all = [&] {
    for (WakeQueue& queue : queues) {
      for (const std::uint32_t node : state.scan_order()) queue.push(node);
    }
  };
  wake_all();
  std::size_t moves_at_last_sweep = 0;
  constexpr std::size_t kStepsBetweenClockReads = 16;  // a step in a long tour is a long one
  std::size_t steps = 0;

  const auto next_stage = [&](std::size_t stage) {
    while (stage < stages && queues[stage].empty()) ++stage;
    if (stage < stages) return stage;
    for (stage = 0; stage < stages && queues[stage].empty();) ++stage;  // another round
    if (stage < stages || mode == SearchMode::full) return stage;
    if (result.moves == moves_at_last_sweep) return stages;
    moves_at_last_sweep = result.moves;
    wake_all();
    return std::size_t{0};
  };
  for (std::size_t stage = next_stage(0); stage < stages; stage = next_stage(stage)) {
    if (result.moves >= limits.max_moves) return result;
    if (++steps % kStepsBetweenClockReads == 0 && limits.deadline.reached()) return result;

    const std::uint32_t node = queues[stage].pop();
    const std::size_t first = mode == SearchMode::paper ? stage : 0;
    const std::size_t last = mode == SearchMode::paper ? stage + 1 : operators.size();
    double gain = 0;
    for (std::size_t i = first; i < last && gain <= 0; ++i) {
      gain = operators[i]->improve_at(state, node);
    }
    if (gain <= 0) continue;
    result.gain += gain;
    ++result.moves;
    for (WakeQueue& queue : queues) {
      queue.push(node);
      for (const std::uint32_t touched : state.touched()) queue.push(touched);
    }
    state.clear_touched();
  }
  result.local_optimum = true;
  return result;
}

}  // namespace eco
