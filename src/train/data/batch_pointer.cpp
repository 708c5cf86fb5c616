#include <algorithm>
#include <cassert>

#include "core/base/error.h"
#include "core/model/instance_tokens.h"
#include "core/problem/capacity.h"
#include "core/problem/codec.h"
#include "core/problem/problem.h"
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

class PointerBatchMaker {
 public:
  PointerBatchMaker(const ModelConfig& config, std::size_t instances, std::size_t nodes)
      : config_(config), nodes_(nodes), positions_(instances), demands_(instances) {
    const auto count = static_cast<std::int64_t>(instances);
    const auto length = static_cast<std::int64_t>(nodes);
    batch_.features = floats({count, length, static_cast<std::int64_t>(config.token_features())});
    if (depot()) batch_.rank = ints({count, length});
  }

  void size_solutions(std::size_t solutions, std::size_t steps) {
    const auto count = static_cast<std::int64_t>(solutions),
               width = static_cast<std::int64_t>(steps);
    batch_.instance = longs({count});
    batch_.path = longs({count, width});
    batch_.counted = floats({count, width});
    batch_.order = longs({count, static_cast<std::int64_t>(nodes_) - (depot() ? 1 : 0)});
    batch_.served = ints({count, width});
    if (depot()) {
      batch_.dynamic =
          floats({count, width, static_cast<std::int64_t>(config_.dynamic_features())});
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
    if (!depot()) return;
    std::vector<std::int64_t>& sorted = demands_[i];
    sorted = instance.demands;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t p = 0; p < nodes_; ++p) {
      const std::int64_t demand = instance.demands[tokens.order[p].index()];
      row<std::int32_t>(batch_.rank, i)[p] = static_cast<std::int32_t>(
          std::lower_bound(sorted.begin(), sorted.end(), demand) - sorted.begin());
    }
  }

  template <class State>
  void add_solution(std::size_t s, std::size_t owner, const Instance& instance,
                    const std::vector<NodeId>& steps, bool first_given) {
    row<std::int64_t>(batch_.instance, s)[0] = static_cast<std::int64_t>(owner);
    std::int64_t* path = row<std::int64_t>(batch_.path, s);
    std::int64_t* order = row<std::int64_t>(batch_.order, s);
    float* counted = row<float>(batch_.counted, s);
    std::int32_t* served = row<std::int32_t>(batch_.served, s);
    std::int32_t done = 0;
    State state(instance);
    const auto width = static_cast<std::size_t>(batch_.steps());
    for (std::size_t t = 0; t < width; ++t) {
      served[t] = done;
      describe_state(s, t, owner, state);
      if (t >= steps.size()) continue;  // padding: a depot token without a loss
      const NodeId node = steps[t];
      path[t] = positions_[owner][node.index()];
      if (!depot() || node != kDepot) order[done++] = path[t];
      // A tour is cyclic, so its first node says nothing; the last depot is forced.
      const bool last = depot() && t + 1 == steps.size();
      const bool given = state.takes_first(node) && (first_given || !config_.chooses_first());
      // With detours a depot is part of the next choice.
      const bool on_the_way = config_.detours() && node == kDepot;
      counted[t] = last || given || on_the_way ? 0.0F : 1.0F;
      state.step(node);
    }
  }

  [[nodiscard]] PointerBatch take() { return std::move(batch_); }

 private:
  [[nodiscard]] bool depot() const { return config_.depot(); }

  template <class State>
  void describe_state(std::size_t s, std::size_t t, std::size_t owner, const State& state) {
    if constexpr (requires { state.remaining_capacity(); }) {
      state.describe(row<float>(batch_.dynamic, s) + config_.dynamic_features() * t);
      const std::vector<std::int64_t>& sorted = demands_[owner];
      const std::int64_t room = state.remaining_capacity();
      row<std::int32_t>(batch_.fits, s)[t] = static_cast<std::int32_t>(
          std::partition_point(sorted.begin(), sorted.end(),
                               [room](std::int64_t demand) { return eco::fits(demand, room); }) -
          sorted.begin());
    }
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
                                std::span<const std::size_t> owner, ThreadPool& pool,
                                bool first_given) {
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
    steps[s] = steps_of(*instances[owner[s]], *solutions[s]);
    longest = std::max(longest, steps[s].size());
  }
  maker.size_solutions(solutions.size(), longest);
  pool.parallel_for(instances.size(),
                    [&](std::size_t i, std::size_t) { maker.add_instance(i, *instances[i]); });
  pool.parallel_for(solutions.size(), [&](std::size_t s, std::size_t) {
    with_problem(config.problem, [&]<class State>() {
      maker.add_solution<State>(s, owner[s], *instances[owner[s]], steps[s], first_given);
    });
  });
  return maker.take();
}

}  // namespace eco::train
