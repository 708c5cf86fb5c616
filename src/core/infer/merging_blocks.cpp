#include "core/infer/merging_blocks.h"

#include <algorithm>

#include "core/geometry/kd_tree.h"
#include "core/ordering/ordering.h"

namespace eco {

namespace {

constexpr std::size_t kRimNearest = 12;  // of each node; taken twice, from the nodes and their rim

}  // namespace

BlockedChoices::BlockedChoices(bool depot, std::size_t nearest, std::size_t block_nodes)
    : depot_(depot), width_(nearest + (depot ? 1 : 0)), block_nodes_(block_nodes) {}

std::size_t BlockedChoices::divide(const Fragments& state, const Deadline& deadline) {
  const std::size_t fixed = depot_ ? 1 : 0;
  std::vector<NodeId> open;
  std::vector<Point> points;
  for (std::size_t i = fixed; i < state.nodes(); ++i) {
    if (!state.open(NodeId(i))) continue;
    open.emplace_back(i);
    points.push_back(state.instance().points[i]);
  }
  const auto order = order_points(points, Ordering::morton);
  node_.clear();
  row_.resize(state.nodes());
  if (depot_) node_.push_back(kDepot);
  for (const std::uint32_t i : order) node_.push_back(open[i]);
  for (std::size_t row = 0; row < node_.size(); ++row) {
    row_[node_[row].index()] = static_cast<std::uint32_t>(row);
  }
  count_.assign(node_.size(), 0);
  candidates_.resize(node_.size() * width_);
  back_.resize(node_.size() * width_);
  log_probabilities_.resize(node_.size() * width_);

  // Blocks of nearly equal size.
  const std::size_t blocks = (open.size() + block_nodes_ - 1) / block_nodes_;
  first_.clear();
  seen_.assign(blocks, {});
  for (std::size_t block = 0; block <= blocks; ++block) {
    first_.push_back(fixed + open.size() * block / std::max<std::size_t>(blocks, 1));
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    seen_[block].assign(node_.begin() + static_cast<std::ptrdiff_t>(first_[block]),
                        node_.begin() + static_cast<std::ptrdiff_t>(first_[block + 1]));
  }
  if (blocks > 1) add_rims(state, deadline);
  return blocks;
}

void BlockedChoices::add_rims(const Fragments& state, const Deadline& deadline) {
  constexpr std::size_t kNodesBetweenClockReads = 4096;
  const std::size_t fixed = depot_ ? 1 : 0;
  const auto& all = state.instance().points;
  std::vector<Point> points;
  for (std::size_t row = fixed; row < node_.size(); ++row) {
    points.push_back(all[node_[row].index()]);
  }
  KdTree tree(points);
  std::vector<std::uint32_t> marked(node_.size(), MergeInput::kNone);  // by the block that sees it
  std::size_t asked = 0;
  for (std::uint32_t block = 0; block < seen_.size(); ++block) {
    std::vector<NodeId>& seen = seen_[block];
    for (const NodeId node : seen) marked[row_[node.index()]] = block;
    std::size_t begin = 0;
    for (int ring = 0; ring < 2; ++ring) {
      const std::size_t end = seen.size();
      for (; begin < end; ++begin) {
        if (++asked % kNodesBetweenClockReads == 0 && deadline.reached()) return;
        const std::size_t row = row_[seen[begin].index()];
        for (const PointNeighbour& near : tree.nearest(points[row - fixed], kRimNearest)) {
          const std::size_t there = near.index + fixed;
          if (marked[there] == block) continue;
          marked[there] = block;
          seen.push_back(node_[there]);
        }
      }
    }
  }
}

void BlockedChoices::take(std::size_t block, const MergeInput& input,
                          std::span<const float> log_probabilities) {
  for (std::size_t token = input.fixed(); token < input.tokens(); ++token) {
    const std::size_t row = row_[input.node[token].index()];
    if (row < first_[block] || row >= first_[block + 1]) continue;  // of the rim
    count_[row] = input.count[token];
    for (std::size_t slot = 0; slot < input.count[token]; ++slot) {
      const std::size_t from = token * width_ + slot, to = row * width_ + slot;
      const std::size_t there = input.candidates[from];
      candidates_[to] = depot_ && there == 0 ? 0 : row_[input.node[there].index()];
      log_probabilities_[to] = log_probabilities[from];
    }
  }
}

Choices BlockedChoices::view() {
  const std::size_t fixed = depot_ ? 1 : 0;
  for (std::size_t row = fixed; row < node_.size(); ++row) {
    for (std::size_t slot = 0; slot < count_[row]; ++slot) {
      const std::size_t there = candidates_[row * width_ + slot];
      std::uint32_t back = MergeInput::kNone;
      for (std::size_t b = fixed; slot >= fixed && b < count_[there]; ++b) {
        if (candidates_[there * width_ + b] != row) continue;
        back = static_cast<std::uint32_t>(there * width_ + b);
        break;
      }
      back_[row * width_ + slot] = back;
    }
  }
  return {depot_, width_, 0, node_, count_, candidates_, back_, log_probabilities_};
}

}  // namespace eco
