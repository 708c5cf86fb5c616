#pragma once
// Rollouts with the candidate scorer: what remains of each instance is encoded again and again, the
// sub-problems of all rollouts of a group in one pass, and decoded in lock-step (docs/model.md,
// section 3). Used by Engine only.

#include <memory>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode.h"
#include "core/model/packed.h"

namespace eco {

class RollingWork;

// One rollout to be made.
struct RollingTask {
  const Instance* instance = nullptr;
  NodeId start;              // TSP: the first node; CVRP: the first customer, or the depot
  std::uint64_t stream = 0;  // of random numbers, the next one belongs to it too
  Rollout* rollout = nullptr;
  const Solution* guide = nullptr;           // follow this solution instead of choosing
  std::vector<StepScore>* scores = nullptr;  // and note what the policy thought of it
};

// The working memory of one thread.
class RollingDecoder {
 public:
  explicit RollingDecoder(const PackedModel& model);
  ~RollingDecoder();
  RollingDecoder(RollingDecoder&&) noexcept;
  RollingDecoder& operator=(RollingDecoder&&) = delete;

  // `options` with every 0 replaced by what the weights say.
  void run(std::span<const RollingTask> tasks, const DecodeOptions& options,
           const Deadline& deadline);

  // The same on all threads of a pool at once, a decoder for each: for fewer rollouts than threads,
  // whose two ends can still go apart.
  static void run_together(std::span<RollingDecoder> decoders, ThreadPool& pool,
                           std::span<const RollingTask> tasks, const DecodeOptions& options,
                           const Deadline& deadline);

 private:
  std::unique_ptr<RollingWork> work_;
};

}  // namespace eco
