#pragma once
// The network that is trained, as docs/model.md describes it: parameters by the names and shapes of
// core/model/tensors.h, and the log-probability of given solutions under it. All values live in one
// flat tensor, so that the optimiser, clipping and checkpoints work on one array.
//
// Thread use: a Policy is used by one thread at a time. Workers each take a replica(), which shares
// the values and has its own gradients (train/nn/gradient.h).

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/model/config.h"
#include "core/model/tensors.h"
#include "core/model/weights.h"
#include "train/data/batch.h"
#include "train/data/merge_batch.h"
#include "train/torch.h"

namespace eco::train {

class Policy {
 public:
  // A fresh network; the same seed gives the same values.
  Policy(const ModelConfig& config, std::uint64_t seed);
  explicit Policy(const Weights& weights);
  // For files and for the engine, which rolls out what is trained here.
  [[nodiscard]] Weights weights() const;

  // The same values (shared storage) as leaves of their own.
  [[nodiscard]] Policy replica() const;
  // A copy in another precision: at::kDouble for tests.
  [[nodiscard]] Policy copy(at::ScalarType type = at::kFloat) const;

  [[nodiscard]] const ModelConfig& config() const { return config_; }
  [[nodiscard]] const std::vector<TensorSpec>& specs() const { return specs_; }
  // Leaves that require gradients, in the order of specs(); views of flat().
  [[nodiscard]] const std::vector<at::Tensor>& values() const { return values_; }
  // [parameters] every value, in the order of specs().
  [[nodiscard]] const at::Tensor& flat() const { return flat_; }
  [[nodiscard]] const at::Tensor& operator[](const std::string& name) const;

  // Batch norm goes by the mean and variance of what is scored together, or by the running ones, as
  // the engine does.
  void use_running_statistics() { running_ = true; }
  [[nodiscard]] bool running_statistics() const { return running_; }
  // What batch norms saw since this was last asked: of the value `index` (a statistic).
  struct Statistic {
    std::size_t index;
    at::Tensor value;
  };
  void observe(const std::string& name, const at::Tensor& value) const;
  [[nodiscard]] std::vector<Statistic> take_statistics() const;

  // [solutions, steps]: log-probability of each choice; 0 where the batch says it is not counted.
  [[nodiscard]] at::Tensor log_probabilities(const PointerBatch& batch) const;
  // [tokens, k] of each pass, the last one being what counts; meaningless where there is no
  // candidate.
  [[nodiscard]] std::vector<at::Tensor> logits(const MergeBatch& batch) const;

 private:
  Policy(const ModelConfig& config, const at::Tensor& flat);

  ModelConfig config_;
  std::vector<TensorSpec> specs_;
  at::Tensor flat_;
  std::vector<at::Tensor> values_;
  std::unordered_map<std::string, std::size_t> index_;
  bool running_ = false;
  mutable std::vector<Statistic> seen_;
};

}  // namespace eco::train
