#pragma once
// Construction by merging (docs/model.md): in rounds, encode what is open, commit what is sure,
// contract. Rollouts go on together, their states being rows of one network run; as some finish,
// others take their place.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/base/thread_pool.h"
#include "core/infer/commit.h"
#include "core/infer/constructor.h"
#include "core/model/merge_network.h"
#include "core/tour/edge.h"

namespace eco {

struct MergingTask {
  const Instance* instance = nullptr;
  std::span<const Edge> start;  // links that are made already
  CommitRule rule;
  std::uint64_t seed = 0, stream = 0;  // of the noise, where the rule has a temperature
  Rollout* rollout = nullptr;
  bool keep_rounds = false;                     // Rollout::rounds is filled in
  std::function<bool(NodeId, NodeId)> allowed;  // if given: links it refuses are never made
  StepCounter* counter = nullptr;               // told of every node that is closed, if given
};

class MergingConstructor final : public Constructor {
 public:
  // Larger instances than half as much again are seen in blocks of so many nodes.
  MergingConstructor(const PackedModel& model, std::size_t threads, std::size_t block_nodes = 8192);
  ~MergingConstructor() override;

  void check(const DecodeOptions& options) const override;
  [[nodiscard]] std::size_t bytes(std::size_t nodes) const override;
  void run(std::span<const ConstructionTask> tasks, const DecodeOptions& options, ThreadPool& pool,
           const Deadline& deadline) override;

  // The same from any state on and by any rule. Past the deadline what is open is linked greedily.
  void build(std::span<const MergingTask> tasks, ThreadPool& pool, const Deadline& deadline);

 private:
  struct Worker;
  struct PartialSolution;
  void build_together(std::span<const MergingTask* const> tasks, ThreadPool& pool,
                      const Deadline& deadline);
  void build_in_blocks(const MergingTask& task, ThreadPool& pool, const Deadline& deadline);

  const PackedModel& model_;
  std::size_t block_nodes_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace eco
