#pragma once
// Gradients over threads. A step's work is cut into parts; each part runs forward and backward on
// one thread with a replica of the policy, and the parts' gradients are added in the order of the
// parts. What a part holds is up to the caller and never to the number of threads, so the sum is
// the same bits on one thread and on many. BLAS runs on one thread a part, which is faster than the
// reverse: the many small operations between two products then run in parallel as well.

#include <functional>
#include <vector>

#include "core/base/thread_pool.h"
#include "train/nn/policy.h"

namespace eco::train {

class GradientWorkers {
 public:
  // The pool must outlive the workers.
  GradientWorkers(const Policy& policy, ThreadPool& pool);

  // Runs loss(replica, part) for part in [0, parts) and sums. The loss is a scalar that depends on
  // the replica's values. Returns the sum of the losses; gradient() holds its gradient.
  using Loss = std::function<at::Tensor(const Policy& replica, std::size_t part)>;
  double run(std::size_t parts, const Loss& loss);

  // [parameters] in the order of Policy::flat(); of the last run.
  [[nodiscard]] const at::Tensor& gradient() const { return gradient_; }

  // Moves the running statistics of batch norms towards the mean of what the parts of the last run
  // saw; each part has normalised by its own.
  void update_statistics(Policy& policy) const;

 private:
  ThreadPool& pool_;
  std::vector<Policy> replicas_;  // one a worker
  at::Tensor gradient_;
  std::vector<std::vector<Policy::Statistic>> statistics_;  // of each part
};

// Runs body(part) without gradients for part in [0, parts) on the pool: scoring, not training.
void for_each_part(ThreadPool& pool, std::size_t parts,
                   const std::function<void(std::size_t part)>& body);

// LibTorch and BLAS to one thread each; memory that is freed stays with the process, since the next
// step asks for as much. Call once at the start of a program.
void set_up_process();

}  // namespace eco::train
