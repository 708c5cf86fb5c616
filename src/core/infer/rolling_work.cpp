#include "core/infer/rolling_work.h"

#include <algorithm>

#include "core/kernels/norm.h"

namespace eco {

void RollingWork::clear(std::size_t candidates, std::size_t lanes) {
  candidates_ = candidates;
  lanes_ = lanes;
  used_ = 0;
  active.clear();
}

Walk& RollingWork::add_walk() {
  if (used_ == walks_.size()) walks_.emplace_back();
  Walk& walk = walks_[used_++];
  walk.lanes.resize(std::max(walk.lanes.size(), lanes_));
  walk.branches = 1;
  walk.certain = 0;
  walk.certain_log_probability = 0;
  return walk;
}

bool RollingWork::encode(const Deadline& deadline) {
  const std::size_t dim = model.config.dim, width = model.config.candidate_dim;
  features_.clear();
  sequences_.clear();
  for (std::size_t i = 0; i < used_; ++i) active.push_back(slot(i, 0));
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    const SubProblem& sub = walks_[i].sub;
    walks_[i].first = tokens;
    sequences_.push_back({tokens, sub.size(), sub.hilbert()});
    features_.insert(features_.end(), sub.features().begin(), sub.features().end());
    tokens += sub.size();
  }
  h_.resize(tokens * dim);
  keys_.resize(tokens * dim);
  nodes_.resize(tokens * width);
  bias_.resize(tokens);
  mean_.resize(used_ * dim);
  if (!encoder_.encode(features_, sequences_, h_.data(), mean_.data(), deadline)) return false;
  constexpr std::size_t kTokensBetweenClockReads = 4096;
  for (std::size_t first = 0; first < tokens; first += kTokensBetweenClockReads) {
    if (deadline.reached()) return false;
    const std::size_t end = std::min(tokens, first + kTokensBetweenClockReads);
    const float* from = h_.data() + first * dim;
    gemm(end - first, from, dim, model.key, keys_.data() + first * dim, dim);
    gemm(end - first, from, dim, model.candidate->node, nodes_.data() + first * width, width);
    for (std::size_t i = first; i < end; ++i) {
      bias_[i] = dot(dim, model.node_bias.data(), h_.data() + i * dim);
    }
  }
  // What every step of a walk adds to its decoder input: g + W_s h_s.
  destination_.resize(used_ * dim);
  for (std::size_t i = 0; i < used_; ++i) {
    const std::size_t row = walks_[i].first + walks_[i].sub.destination();
    std::copy_n(h_.data() + row * dim, dim, destination_.data() + i * dim);
  }
  base_ = mean_;
  gemm(used_, destination_.data(), dim, model.candidate->destination, base_.data(), dim,
       Epilogue::add);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    longest = std::max(longest, walks_[i].longest);
    Lane& lane = walks_[i].lanes[0];
    lane.walk.start(walks_[i].sub, candidates_);
    lane.nodes.clear();
    lane.via_depot.clear();
    lane.openings.clear();
    lane.log_probability = lane.confidence = 0;
    lane.decisions = 0;
    lane.steps_left = walks_[i].longest;
  }
  decoder_.prepare(used_ * lanes_, longest + 1);  // a complete route is seen one step later
  return true;
}

void RollingWork::step() {
  const std::size_t dim = model.config.dim, width = model.config.dynamic_features();
  z_.resize(active.size() * dim);
  dynamic_.resize(active.size() * width);
  rows_.resize(std::max(rows_.size(), active.size()));
  sets_.clear();
  for (std::size_t r = 0; r < active.size(); ++r) {
    const Walk& walk = walk_of(active[r]);
    Lane& lane = lane_of(active[r]);
    float* input = z_.data() + r * dim;
    std::copy_n(base_.data() + active[r] / lanes_ * dim, dim, input);
    add_to(dim, h_.data() + (walk.first + lane.walk.current()) * dim, input);
    if (lane.nodes.empty() && walk.segment.nodes.empty()) add_to(dim, model.start.data(), input);
    lane.walk.dynamic(std::span(dynamic_).subspan(r * width, width));
    lane.walk.propose();
    rows_[r].clear();
    for (const std::uint32_t token : lane.walk.tokens()) {
      rows_[r].push_back(static_cast<std::uint32_t>(walk.first + token));
    }
    sets_.push_back({rows_[r], lane.walk.features(), lane.walk.distances()});
  }
  gemm(active.size(), dynamic_.data(), width, model.dynamic, z_.data(), dim, Epilogue::add);
  decoder_.step(active, z_.data());
  scorer_.score(sets_, z_.data(), {keys_.data(), nodes_.data(), bias_.data()}, logits);
}

void RollingWork::copy(std::uint32_t from, std::uint32_t to) {
  lane_of(to) = lane_of(from);
  decoder_.copy(from, to);
}

}  // namespace eco
