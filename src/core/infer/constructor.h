#pragma once
// The contract between the engine and the two ways to build a solution with a trained policy.
// Either goes on in steps until the solution is whole: it proposes what may be done next in its
// state, has the network score that, and commits to some of it.
//
//   sequential  one node after the other; instances are encoded once (preset paper)
//   merging     fragments of the solution, many links a step, encoded anew (preset best)
//
// How its weights were trained is nothing that a constructor knows.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode.h"
#include "core/model/packed.h"

namespace eco {

// The solutions to be built of one instance, one for each sample.
struct ConstructionTask {
  const Instance* instance = nullptr;
  std::uint64_t number = 0;  // of the instance, for its random numbers
  std::span<Rollout> rollouts;

  // The random stream of a rollout.
  [[nodiscard]] std::uint64_t stream(std::size_t sample) const { return (number << 24U) | sample; }
};

class Constructor {
 public:
  virtual ~Constructor() = default;

  // Throws eco::Error (usage) for settings that it does not have.
  virtual void check(const DecodeOptions& options) const = 0;
  // What an instance of so many nodes takes, roughly.
  [[nodiscard]] virtual std::size_t bytes(std::size_t nodes) const = 0;

  // Fills in every rollout but for its cost. The tasks come by problem, largest first,
  // and `options` complete.
  // Results depend on each task alone. Past the deadline what is open is filled in unlearned and
  // the rollout marked.
  virtual void run(std::span<const ConstructionTask> tasks, const DecodeOptions& options,
                   ThreadPool& pool, const Deadline& deadline) = 0;

  // What the policy thought of a given solution, step by step. Throws eco::Error (usage) if the
  // constructor has no order of steps.
  [[nodiscard]] virtual std::vector<StepScore> score_path(const Instance& instance,
                                                          const Solution& solution);
};

// By the config of the model, which must outlive it. For a pool of so many threads.
[[nodiscard]] std::unique_ptr<Constructor> make_constructor(const PackedModel& model,
                                                            std::size_t threads);

}  // namespace eco
