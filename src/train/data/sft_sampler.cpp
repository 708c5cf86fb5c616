#include "train/data/sft_sampler.h"

#include <algorithm>

#include "core/geometry/symmetry.h"
#include "core/problem/random_order.h"
#include "train/data/instance_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kSamplerStream = 0x5f7aULL
                                         << 48U;  // apart from every other use of the seed

}  // namespace

SftSampler::SftSampler(const TrainConfig& config, LabelStore& store)
    : config_(config), store_(store), shares_(shares_of(config, &store)) {}

Instance SftSampler::draw_instance(std::size_t pool, Rng& rng) {
  Instance instance = store_.draw(pool, rng);
  if (config_.sft.symmetries) apply_symmetry(instance.points, rng.below(kSymmetries));
  return instance;
}

SftExamples SftSampler::draw(std::uint64_t step, double progress) {
  Rng rng(config_.seed, kSamplerStream + step);
  const std::size_t pool = draw_share(shares_, progress, rng);
  const ProblemFacts& problem = facts_of(config_.problem);
  SftExamples examples;
  examples.nodes = store_.nodes(pool);
  const std::size_t nodes = examples.nodes + (problem.depot ? 1 : 0);

  const std::size_t count = std::max<std::size_t>(1, config_.sft.tokens / nodes);
  for (std::size_t i = 0; i < count; ++i) {
    Instance instance = draw_instance(pool, rng);
    Solution& label = instance.reference.value();
    label = in_random_order(problem, label, rng);
    examples.instances.push_back(std::move(instance));
  }
  examples.tokens = count * nodes;
  return examples;
}

}  // namespace eco::train
