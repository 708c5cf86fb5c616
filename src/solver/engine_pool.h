#pragma once
// Engines for calls from several threads.

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/infer/engine.h"
#include "solver/embedded_weights.h"

namespace eco {

// The engines of one problem. They share the model; each has threads and working memory of its own
// and serves one call at a time. Idle ones are kept for the next call with as many threads.
class EnginePool {
 public:
  void set_model(std::shared_ptr<const PackedModel> model) { model_ = std::move(model); }
  void use_embedded(ProblemKind problem) { embedded_ = problem; }
  [[nodiscard]] bool usable() const {
    const std::lock_guard lock(mutex_);  // another call may be packing the embedded weights
    return model_ != nullptr || has_embedded();
  }

  std::unique_ptr<Engine> take(std::size_t threads) {
    const std::size_t wanted = threads == 0 ? available_cores() : threads;
    const std::lock_guard lock(mutex_);
    for (auto& engine : idle_) {
      if (engine->threads() != wanted) continue;
      std::swap(engine, idle_.back());
      std::unique_ptr<Engine> found = std::move(idle_.back());
      idle_.pop_back();
      return found;
    }
    if (model_ == nullptr && has_embedded()) model_ = Engine::pack(embedded_weights(*embedded_));
    return std::make_unique<Engine>(model_, wanted);
  }
  void give_back(std::unique_ptr<Engine> engine) {
    constexpr std::size_t kMostIdle = 8;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kMostIdle) idle_.push_back(std::move(engine));
  }

 private:
  [[nodiscard]] bool has_embedded() const { return embedded_ && has_embedded_weights(*embedded_); }

  mutable std::mutex mutex_;
  std::shared_ptr<const PackedModel> model_;  // embedded: made by the first call
  std::optional<ProblemKind> embedded_;
  std::vector<std::unique_ptr<Engine>> idle_;
};

// An engine for the length of a call.
class EngineLease {
 public:
  EngineLease(EnginePool& pool, std::size_t threads) : pool_(pool), engine_(pool.take(threads)) {}
  ~EngineLease() { pool_.give_back(std::move(engine_)); }
  EngineLease(const EngineLease&) = delete;
  EngineLease& operator=(const EngineLease&) = delete;
  Engine* operator->() const { return engine_.get(); }

 private:
  EnginePool& pool_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace eco
