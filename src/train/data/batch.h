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

// Scorer `pointer`: instances of one node count and solutions of them. Nodes are canonical
// positions; several solutions may share an instance, which is then encoded once.
struct PointerBatch {
  at::Tensor features;  // [instances, nodes, token features] float
  at::Tensor hilbert;   // [instances, nodes] long: positions in Hilbert order (scan = alternate)
  at::Tensor instance;  // [solutions] long: the instance each solution belongs to
  at::Tensor path;      // [solutions, steps] long: the choice of each step; padded with the depot
  at::Tensor counted;   // [solutions, steps] float: 1 where the choice has a loss, else 0
  // The mask, as the pointer loss reads it. A node of `order` is feasible at a step if its index is
  // at least `served` and, in the CVRP, its `rank` is below `fits` (ranks of demands are exact
  // whatever the units).
  at::Tensor order;   // [solutions, customers] long: every node but the depot, in visiting order
  at::Tensor served;  // [solutions, steps] int: how many of `order` are visited before the step
  // CVRP only, undefined for the TSP:
  at::Tensor dynamic;  // [solutions, steps, 2] float: remaining / Q, at depot (masks the depot)
  at::Tensor rank;     // [instances, nodes] int: how many nodes have a smaller demand
  at::Tensor fits;     // [solutions, steps] int: how many nodes' demands are within what is left

  [[nodiscard]] std::int64_t solutions() const { return path.size(0); }
  [[nodiscard]] std::int64_t steps() const { return path.size(1); }
};

// `owner[i]` is the index in `instances` of the instance that `solutions[i]` solves. All instances
// have the same number of nodes. A TSP solution is read from its first node on, as it stands.
[[nodiscard]] PointerBatch make_pointer_batch(const ModelConfig& config,
                                              std::span<const Instance* const> instances,
                                              std::span<const Solution* const> solutions,
                                              std::span<const std::size_t> owner, ThreadPool& pool);

// Scorer `candidate`: the state at one encoding and the path that is taken from there.
struct Segment {
  const Instance* instance = nullptr;
  NodeId current;                 // CVRP: the depot only before the first customer
  NodeId destination;             // TSP: the other end of the path; CVRP: the depot
  std::vector<NodeId> unvisited;  // neither current nor destination
  std::int64_t remaining = 0;     // CVRP: what the vehicle can still take
  std::vector<NodeId> path;       // the next nodes, all of them unvisited
  std::vector<std::uint8_t> via;  // CVRP: 1 where the node is reached by way of the depot
  bool cut = false;               // TSP: `unvisited` is a window (docs/model.md)
};

// The segments whose log-probabilities sum to that of the solution: a new one each time the
// unvisited nodes have shrunk by config.reencode (docs/model.md, "Rolling").
[[nodiscard]] std::vector<Segment> rolling_segments(const ModelConfig& config,
                                                    const Instance& instance,
                                                    const Solution& solution);

// Segments with one token count and one step count. Candidates that do not exist have token 0,
// features 0 and no action allowed.
struct SegmentBatch {
  at::Tensor features;            // [segments, tokens, token features] float
  at::Tensor hilbert;             // [segments, tokens] long: tokens in Hilbert order
  at::Tensor destination;         // [segments] long: token of s
  at::Tensor current;             // [segments, steps] long: token each step starts from
  at::Tensor dynamic;             // [segments, steps, dynamic features] float
  at::Tensor candidates;          // [segments, steps, k] long: tokens
  at::Tensor candidate_features;  // [segments, steps, k, candidate features] float
  at::Tensor distances;           // [segments, steps, k] float: sqrt(L) d
  at::Tensor count;               // [segments, steps] int: how many candidates exist
  at::Tensor allowed;             // [segments, steps, k * actions] bool
  at::Tensor label;  // [segments, steps] long: candidate * actions + via; -1: not among them

  [[nodiscard]] std::int64_t segments() const { return label.size(0); }
  [[nodiscard]] std::int64_t steps() const { return label.size(1); }
  [[nodiscard]] std::int64_t tokens() const { return features.size(1); }
};

[[nodiscard]] SegmentBatch make_segment_batch(const ModelConfig& config,
                                              std::span<const Segment> segments, ThreadPool& pool);

}  // namespace eco::train
