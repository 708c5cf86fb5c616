#include "train/rollout/solution_batch.h"

#include <vector>

namespace eco::train {

SolutionBatch::SolutionBatch(const ModelConfig& model, std::span<const ScoredSolution> solutions,
                             ThreadPool& pool, bool first_given) {
  std::vector<const Instance*> instances;
  std::vector<const Solution*> sequences;
  std::vector<std::size_t> owner;
  for (const ScoredSolution& item : solutions) {
    if (instances.empty() || instances.back() != item.instance) instances.push_back(item.instance);
    sequences.push_back(item.solution);
    owner.push_back(instances.size() - 1);
    tokens_ += item.solution->sequence.size();
  }
  batch_ = make_pointer_batch(model, instances, sequences, owner, pool, first_given);
  steps_ = batch_.counted.sum().item<double>() / static_cast<double>(solutions.size());
}

at::Tensor SolutionBatch::step_log_probabilities(const Policy& policy) const {
  return policy.log_probabilities(batch_);
}

at::Tensor SolutionBatch::log_probabilities(const Policy& policy) const {
  return step_log_probabilities(policy).sum(1);
}

}  // namespace eco::train
