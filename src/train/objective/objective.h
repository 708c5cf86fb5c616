#pragma once
// How a stage learns. An objective prepares what a round learns from, with everything that stays
// fixed during the round; the buffer that comes of it gives the loss of its parts; both say what is
// worth logging. The loop around them (loop/stage.h) is one for all, registry.cpp lists them.

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/base/rng.h"
#include "train/config/train_config.h"
#include "train/data/instance_source.h"
#include "train/loop/trainer.h"
#include "train/nn/policy.h"

namespace eco::train {

// What the loss has seen of a part: means, by the names of the metrics. Filled by Buffer::loss.
class Observed {
 public:
  // The mean of `count` values that sum to `sum`.
  void add(const std::string& name, double sum, double count);
  Observed& operator+=(const Observed& other);
  void write(nlohmann::ordered_json& line) const;

  // To be logged as the loss, if not the loss itself.
  std::optional<double> logged_loss;

 private:
  struct Mean {
    double sum = 0, count = 0;
  };
  std::map<std::string, Mean> means_;
};

// What one round learns from, in parts for the threads. As many parts as the trainer runs at a time
// make a minibatch.
class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual std::size_t parts() const = 0;
  [[nodiscard]] virtual std::size_t tokens(std::size_t part) const = 0;
  // What the loss of a minibatch is divided by, summed over its parts.
  struct Weight {
    double items = 0, pairs = 0;
  };
  [[nodiscard]] virtual Weight weight(std::size_t part) const = 0;
  // The part's share of the loss of a minibatch of that weight.
  [[nodiscard]] virtual at::Tensor loss(const Policy& policy, std::size_t part,
                                        const Weight& minibatch, Observed& observed) const = 0;
  // Whether every pass takes the parts in another order.
  [[nodiscard]] virtual bool shuffled() const { return false; }
};

struct Round {
  Trainer& trainer;
  std::uint64_t seed;   // of the run
  std::uint64_t index;  // from 0
  double progress;      // of the stage, in [0, 1)

  // A seed for this round, apart from those of every other use and round.
  [[nodiscard]] std::uint64_t stream(std::uint64_t use) const {
    return Rng(seed, use + index).next_u64();
  }
};

struct Prepared {
  std::unique_ptr<Buffer> buffer;  // null: the round has nothing to learn from
  std::size_t instances = 0;       // that it took
};

class Objective {
 public:
  virtual ~Objective() = default;
  // What it learns from. Asked before anything of the run is written.
  [[nodiscard]] virtual TrainingData data() const = 0;
  // Once, when the trainer stands: its policy is the one to start from, and where a run goes on
  // trainer.resumed() holds what save() put there.
  virtual void begin(Trainer& trainer) = 0;
  // `line` takes metrics of the round.
  [[nodiscard]] virtual Prepared prepare(const Round& round, nlohmann::ordered_json& line) = 0;
  // A signal came while the round was learned: as if prepare() had not been called.
  virtual void abandon() {}
  // The round's updates are made; `rounds` are done.
  virtual void finish(const Policy& policy, std::uint64_t rounds) = 0;
  virtual void save(TrainState& state) const = 0;
};

}  // namespace eco::train
