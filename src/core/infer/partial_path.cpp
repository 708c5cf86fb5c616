#include "core/infer/partial_path.h"

#include <algorithm>
#include <cmath>

#include "core/model/window.h"

namespace eco {

namespace {

// Takes `nodes` out of `list`, keeping its order. `size`: nodes of the instance.
void remove(std::span<const NodeId> nodes, std::size_t size, std::vector<NodeId>& list) {
  std::vector<bool> gone(size, false);
  for (const NodeId node : nodes) gone[node.index()] = true;
  std::erase_if(list, [&](NodeId node) { return gone[node.index()]; });
}

}  // namespace

std::size_t segment_steps(double reencode, std::size_t unvisited) {
  constexpr std::size_t kDecodeToTheEnd = 8;
  if (unvisited <= kDecodeToTheEnd || reencode >= 1) return unvisited;
  const auto share = std::ceil(reencode * static_cast<double>(unvisited));
  return std::clamp<std::size_t>(static_cast<std::size_t>(share), 1, unvisited);
}

TspPath::TspPath(const Instance& instance, NodeId start, std::size_t window)
    : instance_(&instance), window_(window), forward_{start}, tip_{start, start} {
  if (instance.size() - 1 > window) {
    tree_.emplace(instance.points);
    tree_->remove(static_cast<std::uint32_t>(start.index()));
    return;
  }
  unvisited_.reserve(instance.size());
  for (std::size_t i = 0; i < instance.size(); ++i) {
    if (NodeId(i) != start) unvisited_.emplace_back(i);
  }
}

std::vector<NodeId> TspPath::nearest(const Point& point, std::size_t count) {
  std::vector<NodeId> nodes;
  nodes.reserve(count);
  for (const PointNeighbour& found : tree_->nearest(point, count)) nodes.emplace_back(found.index);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

SubProblemInput TspPath::sub_problem(std::size_t end, std::span<const NodeId> kept) {
  if (!tree_) return {tip_[end], unvisited_, tip_[1 - end], 0, false};
  const Point& from = instance_->points[tip_[end].index()];
  if (kept.empty()) {
    seen_ = nearest(from, window_);
  } else {
    seen_ = window_of(*instance_, tip_[end], nearest(from, tree_->left()), window_, kept);
  }
  return {tip_[end], seen_, tip_[1 - end], 0, true};
}

void TspPath::extend(const Segment& segment) {
  std::vector<NodeId>& path = segment.end == 0 ? forward_ : backward_;
  path.insert(path.end(), segment.nodes.begin(), segment.nodes.end());
  tip_[segment.end] = path.back();
  started_ = true;
  if (tree_) {
    for (const NodeId node : segment.nodes) {
      tree_->remove(static_cast<std::uint32_t>(node.index()));
    }
    if (tree_->left() > window_) return;
    unvisited_ = nearest(instance_->points[tip_[0].index()], tree_->left());
    tree_.reset();
    return;
  }
  remove(segment.nodes, forward_.size() + backward_.size() + unvisited_.size(), unvisited_);
}

void TspPath::complete(std::span<const NodeId> order) {
  if (tree_) unvisited_ = nearest(instance_->points[tip_[0].index()], tree_->left());
  tree_.reset();
  std::vector<bool> open(order.size(), false);
  for (const NodeId node : unvisited_) open[node.index()] = true;
  std::copy_if(order.begin(), order.end(), std::back_inserter(forward_),
               [&](NodeId node) { return open[node.index()]; });
  unvisited_.clear();
}

Solution TspPath::solution() const {
  Solution result{forward_};
  result.sequence.insert(result.sequence.end(), backward_.rbegin(), backward_.rend());
  return result;
}

CvrpPath::CvrpPath(const Instance& instance, NodeId start, std::size_t)
    : instance_(&instance), sequence_{kDepot}, remaining_(instance.capacity) {
  unvisited_.reserve(instance.customers());
  for (std::size_t i = 1; i < instance.size(); ++i) {
    if (NodeId(i) != start) unvisited_.emplace_back(i);
  }
  if (start != kDepot) visit(start, false);
}

SubProblemInput CvrpPath::sub_problem(std::size_t, std::span<const NodeId>) const {
  return {sequence_.back(), unvisited_, kDepot, remaining_, false};
}

void CvrpPath::visit(NodeId node, bool via_depot) {
  if (via_depot) {
    sequence_.push_back(kDepot);
    remaining_ = instance_->capacity;
  }
  sequence_.push_back(node);
  remaining_ -= instance_->demands[node.index()];
}

void CvrpPath::extend(const Segment& segment) {
  for (std::size_t i = 0; i < segment.nodes.size(); ++i) {
    visit(segment.nodes[i], segment.via_depot[i] != 0);
  }
  remove(segment.nodes, instance_->size(), unvisited_);
}

void CvrpPath::complete(std::span<const NodeId> order) {
  std::vector<bool> open(instance_->size(), false);
  for (const NodeId node : unvisited_) open[node.index()] = true;
  for (const NodeId node : order) {
    if (open[node.index()]) visit(node, instance_->demands[node.index()] > remaining_);
  }
  unvisited_.clear();
}

Solution CvrpPath::solution() const {
  Solution result{sequence_};
  result.sequence.push_back(kDepot);
  return result;
}

PathSteps path_steps(ProblemKind kind, const Solution& solution) {
  PathSteps steps;
  const bool depots = kind == ProblemKind::cvrp;
  for (std::size_t i = 1; i < solution.sequence.size(); ++i) {
    if (depots && solution.sequence[i] == kDepot) continue;
    steps.nodes.push_back(solution.sequence[i]);
    steps.via_depot.push_back(depots && i > 1 && solution.sequence[i - 1] == kDepot ? 1 : 0);
  }
  return steps;
}

}  // namespace eco
