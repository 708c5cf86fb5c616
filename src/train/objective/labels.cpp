// The sequential constructor on expert labels: maximum likelihood of every choice, or of some along
// a stretch (decoder lehd).

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "train/data/batch.h"
#include "train/data/sft_sampler.h"
#include "train/data/stretch.h"
#include "train/loop/store_position.h"
#include "train/objective/kinds.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kStretchStream = 0x57e7ULL << 48U;

// One minibatch, cut into parts of nearly equal size.
class LabelBuffer final : public Buffer {
 public:
  LabelBuffer(const SftExamples& examples, const TrainConfig& config, const Round& round)
      : tokens_(examples.tokens) {
    std::size_t parts = round.trainer.parts();
    Rng rng(round.stream(kStretchStream));
    const std::size_t count = examples.instances.size();
    parts = std::min(parts, count);
    for (std::size_t part = 0; part < parts; ++part) {
      std::vector<const Instance*> instances;
      std::vector<const Solution*> solutions;
      for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
        instances.push_back(&examples.instances[i]);
        solutions.push_back(&examples.instances[i].reference.value());
      }
      std::vector<std::size_t> owner(instances.size());
      std::iota(owner.begin(), owner.end(), 0);
      batches_.push_back(
          make_pointer_batch(config.model, instances, solutions, owner, round.trainer.pool()));
      if (config.model.heavy()) cut_stretches(batches_.back(), config.sft.along, rng);
    }
  }

  [[nodiscard]] std::size_t parts() const override { return batches_.size(); }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return tokens_ * (part + 1) / parts() - tokens_ * part / parts();
  }
  [[nodiscard]] Weight weight(std::size_t part) const override {
    return {batches_[part].counted.sum().item<double>()};
  }
  // Mean over the choices that count, in nats.
  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t part, const Weight& minibatch,
                                Observed&) const override {
    return policy.log_probabilities(batches_[part]).sum() / -std::max(minibatch.items, 1.0);
  }

 private:
  std::size_t tokens_;
  std::vector<PointerBatch> batches_;
};

class LabelObjective final : public Objective {
 public:
  explicit LabelObjective(const TrainConfig& config)
      : config_(config), store_(config.problem, config.data), sampler_(config, store_) {}

  [[nodiscard]] TrainingData data() const override { return training_data(config_, &store_); }

  void begin(Trainer& trainer) override {
    if (trainer.resumed()) store_.restore(read_positions(*trainer.resumed()));
  }

  Prepared prepare(const Round& round, nlohmann::ordered_json& line) override {
    Trainer& trainer = round.trainer;
    before_ = store_.position();
    return trainer.watch().time("data", [&] {
      const SftExamples examples = sampler_.draw(round.index, round.progress);
      line["labels_made"] = store_.labels_made();
      return Prepared{std::make_unique<LabelBuffer>(examples, config_, round), examples.size()};
    });
  }

  void abandon() override { store_.restore(before_); }
  void finish(const Policy&, std::uint64_t) override {}
  void save(TrainState& state) const override { write_positions(store_.position(), state); }

 private:
  const TrainConfig& config_;
  LabelStore store_;
  SftSampler sampler_;
  std::vector<PoolPosition> before_;
};

}  // namespace

ObjectiveOwner sequential_labels(const TrainConfig& config) {
  return std::make_unique<LabelObjective>(config);
}

}  // namespace eco::train
