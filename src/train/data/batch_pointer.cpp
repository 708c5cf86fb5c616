#include <algorithm>
#include <cassert>

#include "core/base/error.h"
#include "core/model/instance_tokens.h"
#include "train/data/batch.h"
#include "train/data/tensor_row.h"

namespace eco::train {

namespace {

at::Tensor longs(std::initializer_list<std::int64_t> shape) {
  return at::zeros(shape, at::kLong);
}
at::Tensor ints(std::initializer_list<std::int64_t> shape) {
  return at::zeros(shape, at::kInt);
}
at::Tensor floats(std::initializer_list<std::int64_t> shape) {
  return at::zeros(shape, at::kFloat);
}

// The steps of a solution: TSP, every node; CVRP, everything after the first depot token, with
// consecutive depot tokens made one.
std::vector<NodeId> steps_of(ProblemKind problem, const Solution& solution) {
  if (problem == ProblemKind::tsp) return solution.sequence;
  std::vector<NodeId> steps = from_routes(to_routes(solution)).sequence;
  steps.erase(steps.begin());
  return steps;
}

class PointerBatchMaker {
 public:
  PointerBatchMaker(const ModelConfig& config, std::size_t instances, std::size_t nodes)
      : config_(config), nodes_(nodes), positions_(instances), demands_(instances) {
    const auto count = static_cast<std::int64_t>(instances);
    const auto length = static_cast<std::int64_t>(nodes);
    batch_.features = floats({count, length, static_cast<std::int64_t>(config.token_features())});
    if (cvrp()) batch_.rank = ints({count, length});
  }

  void size_solutions(std::size_t solutions, std::size_t steps) {
    const auto count = static_cast<std::int64_t>(solutions),
               width = static_cast<std::int64_t>(steps);
    batch_.instance = longs({count});
    batch_.path = longs({count, width});
    batch_.counted = floats({count, width});
    batch_.order = longs({count, static_cast<std::int64_t>(nodes_) - (cvrp() ? 1 : 0)});
    batch_.served = ints({count, width});
    if (cvrp()) {
      batch_.dynamic = floats({count, width, 2});
      batch_.fits = ints({count, width});
    }
  }

  void add_instance(std::size_t i, const Instance& instance) {
    const InstanceTokens tokens = instance_tokens(config_, instance);
    std::copy(tokens.features.begin(), tokens.features.end(), row<float>(batch_.features, i));
    positions_[i].resize(nodes_);
    for (std::size_t p = 0; p < nodes_; ++p) {
      positions_[i][tokens.order[p].index()] = static_cast<std::int64_t>(p);
    }
    if (!cvrp()) return;
    std::vector<std::int64_t>& sorted = demands_[i];
    sorted = instance.demands;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t p = 0; p < nodes_; ++p) {
      const std::int64_t demand = instance.demands[tokens.order[p].index()];
      row<std::int32_t>(batch_.rank, i)[p] = static_cast<std::int32_t>(
          std::lower_bound(sorted.begin(), sorted.end(), demand) - sorted.begin());
    }
  }

  void add_solution(std::size_t s, std::size_t owner, const Instance& instance,
                    const std::vector<NodeId>& steps) {
    row<std::int64_t>(batch_.instance, s)[0] = static_cast<std::int64_t>(owner);
    std::int64_t* path = row<std::int64_t>(batch_.path, s);
    std::int64_t* order = row<std::int64_t>(batch_.order, s);
    float* counted = row<float>(batch_.counted, s);
    std::int32_t* served = row<std::int32_t>(batch_.served, s);
    std::int32_t done = 0;
    std::int64_t load = instance.capacity;
    bool at_depot = true;
    const auto width = static_cast<std::size_t>(batch_.steps());
    for (std::size_t t = 0; t < width; ++t) {
      served[t] = done;
      if (cvrp()) describe_vehicle(s, t, owner, instance, load, at_depot);
      if (t >= steps.size()) continue;  // padding: a depot token without a loss
      const NodeId node = steps[t];
      path[t] = positions_[owner][node.index()];
      const bool depot = cvrp() && node == kDepot;
      if (depot) {
        load = instance.capacity;
      } else {
        order[done++] = path[t];
        if (cvrp()) load -= instance.demands[node.index()];
      }
      at_depot = depot;
      // A tour is cyclic, so its first node says nothing; the last depot is forced.
      const bool forced = cvrp() ? t + 1 == steps.size() : t == 0;
      counted[t] = forced ? 0.0F : 1.0F;
    }
  }

  [[nodiscard]] PointerBatch take() { return std::move(batch_); }

 private:
  [[nodiscard]] bool cvrp() const { return config_.problem == ProblemKind::cvrp; }

  void describe_vehicle(std::size_t s, std::size_t t, std::size_t owner, const Instance& instance,
                        std::int64_t load, bool at_depot) {
    float* dynamic = row<float>(batch_.dynamic, s) + 2 * t;
    dynamic[0] =
        static_cast<float>(static_cast<double>(load) / static_cast<double>(instance.capacity));
    dynamic[1] = at_depot ? 1.0F : 0.0F;
    const std::vector<std::int64_t>& sorted = demands_[owner];
    row<std::int32_t>(batch_.fits, s)[t] = static_cast<std::int32_t>(
        std::upper_bound(sorted.begin(), sorted.end(), load) - sorted.begin());
  }

  const ModelConfig& config_;
  std::size_t nodes_;
  PointerBatch batch_;
  std::vector<std::vector<std::int64_t>> positions_;  // of each node, an instance
  std::vector<std::vector<std::int64_t>> demands_;    // sorted, an instance
};

}  // namespace

PointerBatch make_pointer_batch(const ModelConfig& config,
                                std::span<const Instance* const> instances,
                                std::span<const Solution* const> solutions,
                                std::span<const std::size_t> owner, ThreadPool& pool) {
  assert(!instances.empty() && solutions.size() == owner.size());
  const std::size_t nodes = instances[0]->size();
  for (const Instance* instance : instances) {
    if (instance->size() != nodes || instance->kind != config.problem) {
      throw Error(ErrorKind::usage, "a batch needs instances of one problem and one size");
    }
  }
  PointerBatchMaker maker(config, instances.size(), nodes);
  std::vector<std::vector<NodeId>> steps(solutions.size());
  std::size_t longest = 1;
  for (std::size_t s = 0; s < solutions.size(); ++s) {
    steps[s] = steps_of(config.problem, *solutions[s]);
    longest = std::max(longest, steps[s].size());
  }
  maker.size_solutions(solutions.size(), longest);
  pool.parallel_for(instances.size(),
                    [&](std::size_t i, std::size_t) { maker.add_instance(i, *instances[i]); });
  pool.parallel_for(solutions.size(), [&](std::size_t s, std::size_t) {
    maker.add_solution(s, owner[s], *instances[owner[s]], steps[s]);
  });
  return maker.take();
}

}  // namespace eco::train
