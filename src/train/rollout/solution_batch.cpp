#include "train/rollout/solution_batch.h"

#include <algorithm>
#include <numeric>

namespace eco::train {

std::vector<std::size_t> draw_indices(std::size_t total, std::size_t count, Rng& rng) {
  std::vector<std::size_t> indices(total);
  std::iota(indices.begin(), indices.end(), 0);
  if (count == 0 || count >= total) return indices;
  rng.shuffle(std::span<std::size_t>(indices));
  indices.resize(count);
  std::sort(indices.begin(), indices.end());
  return indices;
}

SolutionBatch::SolutionBatch(const ModelConfig& model, std::span<const ScoredSolution> solutions,
                             std::size_t segments, Rng& rng, ThreadPool& pool) {
  if (model.scorer == Scorer::candidate) {
    make_segments(model, solutions, segments, rng, pool);
  } else {
    make_pointer(model, solutions, pool);
  }
}

void SolutionBatch::make_pointer(const ModelConfig& model,
                                 std::span<const ScoredSolution> solutions, ThreadPool& pool) {
  std::vector<const Instance*> instances;
  std::vector<const Solution*> sequences;
  std::vector<std::size_t> owner;
  for (const ScoredSolution& item : solutions) {
    if (instances.empty() || instances.back() != item.instance) instances.push_back(item.instance);
    sequences.push_back(item.solution);
    owner.push_back(instances.size() - 1);
    tokens_ += item.solution->sequence.size();
  }
  pointer_.push_back(make_pointer_batch(model, instances, sequences, owner, pool));
  steps_ = pointer_.back().counted.sum().item<double>() / static_cast<double>(solutions.size());
}

void SolutionBatch::make_segments(const ModelConfig& model,
                                  std::span<const ScoredSolution> solutions, std::size_t segments,
                                  Rng& rng, ThreadPool& pool) {
  std::vector<std::vector<Segment>> all(solutions.size());
  pool.parallel_for(solutions.size(), [&](std::size_t i, std::size_t) {
    all[i] = rolling_segments(model, *solutions[i].instance, *solutions[i].solution);
  });
  const std::size_t total = all.front().size();  // a function of the size alone
  const std::vector<std::size_t> chosen = draw_indices(total, segments, rng);
  scale_ = static_cast<double>(total) / static_cast<double>(chosen.size());
  for (const Segment& segment : all.front()) steps_ += static_cast<double>(segment.path.size());
  for (const std::size_t index : chosen) {
    std::vector<Segment> row;
    row.reserve(all.size());
    for (auto& list : all) row.push_back(std::move(list[index]));
    tokens_ += row.size() * (row.front().unvisited.size() + 2);
    segments_.push_back(make_segment_batch(model, row, pool));
  }
}

at::Tensor SolutionBatch::step_log_probabilities(const Policy& policy) const {
  if (!pointer_.empty()) return policy.log_probabilities(pointer_.front());
  std::vector<at::Tensor> parts;
  parts.reserve(segments_.size());
  for (const SegmentBatch& batch : segments_) parts.push_back(policy.log_probabilities(batch));
  return at::cat(parts, 1);
}

at::Tensor SolutionBatch::log_probabilities(const Policy& policy) const {
  return step_log_probabilities(policy).sum(1) * scale_;
}

std::size_t tokens_of(const ModelConfig& model, const Instance& instance, const Solution& solution,
                      std::size_t segments) {
  if (model.scorer == Scorer::pointer) return solution.sequence.size();
  std::size_t tokens = 0;
  const auto all = rolling_segments(model, instance, solution);
  for (const Segment& segment : all) tokens += segment.unvisited.size() + 2;
  if (segments > 0 && segments < all.size()) tokens = tokens * segments / all.size();
  return tokens;
}

}  // namespace eco::train
