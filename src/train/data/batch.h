#pragma once
// What a training step reads: instances and solutions turned into tensors, once, on worker threads.
// A batch holds items of one size, so that nothing is padded but the tails of CVRP sequences.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/instance/instance.h"
#include "core/model/config.h"
#include "train/torch.h"

namespace eco::train {

// Of the sequential constructor: instances of one node count and solutions of them. Nodes are
// canonical positions; several solutions may share an instance, which is then encoded once.
struct PointerBatch {
  at::Tensor features;  // [instances, nodes, token features] float
  at::Tensor instance;  // [solutions] long: the instance each solution belongs to
  at::Tensor path;      // [solutions, steps] long: the choice of each step; padded with the depot
  at::Tensor counted;   // [solutions, steps] float: 1 where the choice has a loss, else 0
  // The mask, as the pointer loss reads it. A node of `order` is feasible at a step if its index is
  // at least `served` and, in the CVRP, its `rank` is below `fits` (ranks of demands are exact
  // whatever the units).
  at::Tensor order;   // [solutions, customers] long: every node but the depot, in visiting order
  at::Tensor served;  // [solutions, steps] int: how many of `order` are visited before the step
  // Decoder lehd: so many of `order` are given, and what was visited before the last of them is
  // no part of the instance (stretch.h).
  std::int64_t given = 0;
  // CVRP only, undefined for the TSP:
  at::Tensor dynamic;  // [solutions, steps, 2] float: remaining / Q, at depot (masks the depot)
  at::Tensor rank;     // [instances, nodes] int: how many nodes have a smaller demand
  at::Tensor fits;     // [solutions, steps] int: how many nodes' demands are within what is left

  [[nodiscard]] std::int64_t solutions() const { return path.size(0); }
  [[nodiscard]] std::int64_t steps() const { return path.size(1); }
};

// `owner[i]` is the index in `instances` of the instance that `solutions[i]` solves. All instances
// have the same number of nodes. A TSP solution is read from its first node on, as it stands.
// first_given: that node was no choice of the policy, so it has no loss.
[[nodiscard]] PointerBatch make_pointer_batch(const ModelConfig& config,
                                              std::span<const Instance* const> instances,
                                              std::span<const Solution* const> solutions,
                                              std::span<const std::size_t> owner, ThreadPool& pool,
                                              bool first_given = false);

}  // namespace eco::train
