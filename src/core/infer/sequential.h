#pragma once
// The sequential constructor: instances are encoded once, then rollouts step together in groups,
// one node a step (pointer.h), or as a beam (beam.h); parts of a solution may be built anew
// (reconstruct.h).

#include <vector>

#include "core/infer/constructor.h"
#include "core/infer/pointer.h"

namespace eco {

class SequentialConstructor final : public Constructor {
 public:
  SequentialConstructor(const PackedModel& model, std::size_t threads);

  void check(const DecodeOptions& options) const override;
  [[nodiscard]] std::size_t bytes(std::size_t nodes) const override;
  void run(std::span<const ConstructionTask> tasks, const DecodeOptions& options, ThreadPool& pool,
           const Deadline& deadline) override;
  [[nodiscard]] std::vector<StepScore> score_path(const Instance& instance,
                                                  const Solution& solution) override;

 private:
  void run_batch(std::span<const ConstructionTask> batch, const DecodeOptions& options,
                 ThreadPool& pool, const Deadline& deadline);

  const PackedModel& model_;
  std::vector<Encoder> encoders_;  // one a thread
  std::vector<Decoder> decoders_;
  std::vector<PointerEncoding> encodings_;  // kept between calls
};

}  // namespace eco
