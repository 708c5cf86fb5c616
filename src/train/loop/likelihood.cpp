#include "train/loop/likelihood.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace eco::train {

namespace {

struct Range {
  std::size_t begin, end;
};

// Part `part` of `count` items, sizes as even as can be.
Range range_of(std::size_t part, std::size_t parts, std::size_t count) {
  return {count * part / parts, count * (part + 1) / parts};
}

}  // namespace

double nll_gradient(const SftExamples& examples, const ModelConfig& model, std::size_t parts,
                    GradientWorkers& workers, ThreadPool& pool) {
  parts = std::min(parts, examples.size());
  std::vector<PointerBatch> batches;
  double counted = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto [begin, end] = range_of(part, parts, examples.instances.size());
    std::vector<const Instance*> instances;
    std::vector<const Solution*> solutions;
    for (std::size_t i = begin; i < end; ++i) {
      instances.push_back(&examples.instances[i]);
      solutions.push_back(&examples.instances[i].reference.value());
    }
    std::vector<std::size_t> owner(instances.size());
    std::iota(owner.begin(), owner.end(), 0);
    batches.push_back(make_pointer_batch(model, instances, solutions, owner, pool));
    counted += batches.back().counted.sum().item<double>();
  }
  return workers.run(parts, [&](const Policy& policy, std::size_t part) {
    return policy.log_probabilities(batches[part]).sum() / -std::max(counted, 1.0);
  });
}

}  // namespace eco::train
