#pragma once
// Small models, instances and solutions that the tests of the policy share.

#include <numeric>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "train/data/batch.h"
#include "train/data/merge_batch.h"
#include "train/nn/policy.h"

namespace eco::train {

inline ModelConfig small(ModelConfig config) {
  config.dim = 16;
  if (config.constructor == ConstructorKind::merging) {
    config.heads = 2;
    config.candidates = 5;
    config.scorer_dim = 16;
    config.scorer_layers = 1;
    config.scorer_heads = 2;
  } else {
    config.heads = config.glimpse() ? 2 : 4;
    config.encoder_layers = 3;
    if (!config.glimpse()) config.decoder_layers = 2;
  }
  return config;
}

// Fresh networks have zeros in places; the tests want every path alive.
inline Policy random_policy(const ModelConfig& config, std::uint64_t seed) {
  Policy policy(config, seed);
  Rng rng(seed, 1000);
  float* values = policy.flat().data_ptr<float>();
  for (std::int64_t i = 0; i < policy.flat().numel(); ++i) {
    values[i] += static_cast<float>(0.05 * rng.normal());
  }
  return policy;
}

inline Instance instance_of(ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  if (kind == ProblemKind::cvrp) options.capacity = 14;
  return generate(options, index);
}

// Any feasible sequence: random order, a new route when the next does not fit or by chance.
inline Solution random_solution(const Instance& instance, Rng& rng) {
  const bool cvrp = instance.kind == ProblemKind::cvrp;
  std::vector<std::size_t> nodes(instance.size() - (cvrp ? 1 : 0));
  std::iota(nodes.begin(), nodes.end(), cvrp ? 1 : 0);
  rng.shuffle(std::span(nodes));
  Routes routes(1);
  std::int64_t load = instance.capacity;
  for (const std::size_t node : nodes) {
    if (cvrp && (instance.demands[node] > load || (!routes.back().empty() && rng.below(5) == 0))) {
      routes.emplace_back();
      load = instance.capacity;
    }
    if (cvrp) load -= instance.demands[node];
    routes.back().emplace_back(node);
  }
  return cvrp ? from_routes(routes) : Solution{routes[0]};
}

inline PointerBatch pointer_batch(const ModelConfig& config, const std::vector<Instance>& instances,
                                  const std::vector<Solution>& solutions,
                                  const std::vector<std::size_t>& owner, bool first_given = false) {
  std::vector<const Instance*> in;
  std::vector<const Solution*> out;
  for (const Instance& instance : instances) in.push_back(&instance);
  for (const Solution& solution : solutions) out.push_back(&solution);
  ThreadPool pool(1);
  return make_pointer_batch(config, in, out, owner, pool, first_given);
}

// Each instance before its first link, with the solution as what is to be learned.
inline MergeBatch merge_batch(const ModelConfig& config, const std::vector<Instance>& instances,
                              const std::vector<Solution>& solutions) {
  MergeInput input;
  MergeInputBuilder builder;
  std::vector<float> target;
  input.clear(config.depot(), config.candidates);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Fragments state(instances[i]);
    builder.append(state, View(instances[i]), {}, input);
    append_target(state, Partners(instances[i], solutions[i]), 1, input, target);
  }
  return make_merge_batch(input, target);
}

inline std::vector<ModelConfig> all_configs() {
  std::vector<ModelConfig> configs;
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    configs.push_back(small(best_preset(problem)));
    configs.push_back(small(best_preset(problem)));
    configs.back().backbone = Backbone::transformer;
    configs.push_back(small(paper_preset(problem)));
    configs.push_back(small(paper_preset(problem)));
    configs.back().backbone = Backbone::transformer;
    configs.push_back(small(paper_preset(problem)));
    configs.back().ordering = Ordering::hilbert;
    configs.back().ffn = false;
    configs.push_back(small(am_preset(problem)));
    configs.push_back(small(pomo_preset(problem)));
    configs.push_back(small(lehd_preset(problem)));
    configs.push_back(small(paper_preset(problem)));  // their decoder behind our encoder
    configs.back().decoder = DecoderKind::am;
    configs.back().decoder_layers = ModelConfig{}.decoder_layers;
    configs.back().heads = 2;
  }
  return configs;
}

}  // namespace eco::train
