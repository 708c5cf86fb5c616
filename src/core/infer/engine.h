#pragma once
// The native engine: builds solutions of many instances with a trained policy, on the CPU, without
// LibTorch. Results do not depend on the number of threads or on which instances share a call.
// Calls from several threads are safe; they wait for each other.
//
//   Engine engine(std::make_shared<const Weights>(io::load_weights("eco.safetensors")));
//   auto rollouts = engine.run(instances, {.method = Decode::sample, .samples = 32});

#include <memory>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode.h"
#include "core/model/weights.h"

namespace eco {

class Constructor;
struct PackedModel;

class Engine {
 public:
  // threads: 0 means one per core the process may use.
  explicit Engine(const std::shared_ptr<const Weights>& weights, std::size_t threads = 0);
  // Several engines may share one model, for calls that must not wait for each other.
  explicit Engine(std::shared_ptr<const PackedModel> model, std::size_t threads = 0);
  [[nodiscard]] static std::shared_ptr<const PackedModel> pack(const Weights& weights);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  [[nodiscard]] const ModelConfig& config() const;
  [[nodiscard]] std::size_t threads() const { return pool_->size(); }
  // `options` with every setting that was left open filled in: as the weights say, else the
  // default. Throws eco::Error (usage) for what does not fit the model.
  [[nodiscard]] DecodeOptions resolved(const DecodeOptions& options) const;

  // rollouts[i]: the rollouts of instance i, in the order of the samples. Every solution has passed
  // check(). When the deadline comes first, what is not built is filled in unlearned (along the
  // space-filling curve, or by the shortest links) and marked. Throws eco::Error for an instance
  // that the model was not made for.
  [[nodiscard]] std::vector<std::vector<Rollout>> run(std::span<const Instance* const> instances,
                                                      const DecodeOptions& options,
                                                      const Deadline& deadline = {});

  // Sequential only: the policy's logits along a given solution, step by step; the forced ones
  // (first node of a tour, last depot) are left out.
  [[nodiscard]] std::vector<StepScore> score_path(const Instance& instance,
                                                  const Solution& solution);

 private:
  using Rollouts = std::vector<std::vector<Rollout>>;
  void run_augmented(std::span<const Instance* const> instances, const DecodeOptions& options,
                     const Deadline& deadline, Rollouts& rollouts);
  void construct(std::span<const Instance* const> instances, const DecodeOptions& options,
                 const Deadline& deadline, Rollouts& rollouts);

  struct InUse;  // its working memory serves one call at a time

  std::shared_ptr<const PackedModel> model_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Constructor> constructor_;
  std::unique_ptr<InUse> in_use_;
};

// The one of lowest cost; there must be at least one.
[[nodiscard]] const Rollout& best_rollout(std::span<const Rollout> rollouts);

}  // namespace eco
