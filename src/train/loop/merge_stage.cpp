#include "train/loop/merge_stage.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/model/packed.h"
#include "train/data/instance_source.h"
#include "train/data/label_order.h"
#include "train/data/label_store.h"
#include "train/data/merge_batch.h"
#include "train/loop/interrupt.h"
#include "train/loop/store_position.h"
#include "train/rollout/merge_states.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kDrawStream = 0x2c4eULL << 48U;
constexpr std::uint64_t kVisitStream = 0x39b7ULL << 48U;
constexpr std::uint64_t kShuffleStream = 0x4a60ULL << 48U;
constexpr double kFirstPassWeight = 0.5;  // of the loss of a pass that another one corrects

// What differs between the two stages.
struct StageSettings {
  std::string init;
  std::size_t updates = 0, rounds = 0;  // length, where not by the clock
  double minutes = 0;
  std::size_t validate_every = 0, tokens = 0;
  double free = 0;
  const OptimizerConfig* optimizer = nullptr;
};

StageSettings settings_of(const TrainConfig& c, const std::string& stage,
                          const RunOptions& options) {
  if (stage == "sft") {
    return {c.sft.init,           c.sft.steps,  0, c.sft.minutes,
            c.sft.validate_every, c.sft.tokens, 0, &c.sft.optimizer};
  }
  std::string init = c.dpo.init == "none" ? "" : c.dpo.init;
  if (init == "sft") init = options.out + "/sft/best.safetensors";
  return {init,
          0,
          c.dpo.iterations,
          c.dpo.minutes,
          c.dpo.validate_every,
          c.dpo.tokens,
          c.imitate.free,
          &c.dpo.optimizer};
}

class MergeStage {
 public:
  MergeStage(const TrainConfig& config, const std::string& stage, const RunOptions& options)
      : config_(config),
        stage_(stage),
        settings_(settings_of(config, stage, options)),
        store_(config.problem, config.data),
        trainer_(config, *settings_.optimizer, stage, settings_.init,
                 training_data(config, &store_), options),
        shares_(shares_of(config, &store_)) {
    if (!trainer_.resumed()) return;
    round_ = trainer_.resumed()->number("step");
    instances_ = trainer_.resumed()->number("instances");
    store_.restore(read_positions(*trainer_.resumed()));
  }

  bool run() {
    if (round_ == 0) validate();
    bool over = finished();
    while (!over) {
      if (interrupted() || !round()) {
        save();
        return false;
      }
      over = finished();  // asked once: by the clock, a second answer may be another
      if (round_ % settings_.validate_every == 0 || over) validate();
      if (trainer_.checkpoint_due(round_)) save();
    }
    save();
    return true;
  }

 private:
  [[nodiscard]] double progress() const {
    if (settings_.minutes > 0) return std::min(1.0, trainer_.seconds() / (60 * settings_.minutes));
    const auto share = [](std::uint64_t done, std::size_t all) {
      return static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(all, 1));
    };
    return std::min(1.0, settings_.updates > 0 ? share(trainer_.updates(), settings_.updates)
                                               : share(round_, settings_.rounds));
  }
  [[nodiscard]] bool finished() const { return progress() >= 1; }
  [[nodiscard]] std::uint64_t stream(std::uint64_t use) const {
    return Rng(config_.seed, use + round_).next_u64();
  }

  // One round; false if a signal came. Everything is then as it was before the round.
  bool round() {
    const double begin = trainer_.seconds();
    const auto position = store_.position();
    Json line = {{"step", round_ + 1}, {"kind", "train"}};
    const std::vector<Instance> instances =
        trainer_.watch().time("labels", [&] { return draw_instances(); });
    const MergeVisit visit = trainer_.watch().time("generation", [&] {
      const PackedModel model(to_weights(trainer_.policy()));
      return visit_states(model, instances,
                          {settings_.free, config_.imitate.effort, stream(kVisitStream)},
                          trainer_.pool());
    });
    const std::vector<MergeBatch> batches =
        trainer_.watch().time("data", [&] { return make_batches(visit.examples); });
    if (!learn(batches, line)) {
      store_.restore(position);
      return false;
    }
    ++round_;
    instances_ += instances.size();
    line["seconds"] = trainer_.seconds();
    line["instances"] = instances_;
    line["updates"] = trainer_.updates();
    line["states"] = visit.examples.size();
    line["relabelled"] = visit.relabelled;
    line["free_links"] = visit.free_links;
    line["wrong_links"] = visit.wrong_links;
    line["round_seconds"] = trainer_.seconds() - begin;
    line["seconds_by_part"] = trainer_.watch().take();
    trainer_.log(line);
    return true;
  }

  std::vector<Instance> draw_instances() {
    Rng rng(stream(kDrawStream));
    std::vector<Instance> instances;
    // As many nodes as the round is meant to have, so that large instances do not make it long.
    std::size_t nodes = 0;
    while (nodes < config_.imitate.nodes) {
      instances.push_back(store_.draw(draw_share(shares_, progress(), rng), rng));
      if (config_.sft.symmetries) apply_symmetry(instances.back(), rng.below(8));
      nodes += instances.back().size();
    }
    return instances;
  }

  // The examples in random order, cut into parts of about equal size.
  std::vector<MergeBatch> make_batches(std::span<const MergeExample> examples) {
    std::vector<std::size_t> order(examples.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Rng rng(stream(kShuffleStream));
    rng.shuffle(std::span<std::size_t>(order));
    const std::size_t most = std::max<std::size_t>(1, settings_.tokens / trainer_.parts());
    std::vector<std::vector<std::size_t>> parts;
    std::size_t tokens = most;
    for (const std::size_t i : order) {
      if (tokens >= most) {
        parts.emplace_back();
        tokens = 0;
      }
      parts.back().push_back(i);
      tokens += examples[i].state.open_nodes();
    }
    std::vector<MergeBatch> batches(parts.size());
    std::vector<MergeInputBuilder> builders(trainer_.pool().size());
    trainer_.pool().parallel_for(parts.size(), [&](std::size_t part, std::size_t worker) {
      MergeInput input;
      std::vector<float> target;
      input.clear(config_.model.depot(), config_.model.candidates);
      for (const std::size_t i : parts[part]) {
        const Fragments& state = examples[i].state;
        const Instance& instance = state.instance();
        builders[worker].append(state, bounding_box(instance.points), {}, input);
        // Late states are small and their errors dear.
        const double weight =
            std::pow(100.0 / static_cast<double>(state.open_nodes()), config_.imitate.late);
        append_target(state, Partners(instance, examples[i].label), weight, input, target);
      }
      batches[part] = make_merge_batch(input, target);
    });
    return batches;
  }

  bool learn(std::span<const MergeBatch> batches, Json& line) {
    const Trainer::Moment before = trainer_.moment();
    double loss = 0, norm = 0, tokens = 0, updates = 0;
    for (std::size_t first = 0; first < batches.size(); first += trainer_.parts()) {
      if (interrupted()) {
        trainer_.go_back_to(before);
        return false;
      }
      const auto parts = batches.subspan(first, std::min(trainer_.parts(), batches.size() - first));
      double weight = 0;
      for (const MergeBatch& batch : parts) {
        weight += batch.weight;
        tokens += static_cast<double>(batch.tokens());
      }
      std::vector<double> last(parts.size());
      trainer_.watch().time("gradient", [&] {
        return trainer_.workers().run(parts.size(), [&](const Policy& policy, std::size_t part) {
          const MergeBatch& batch = parts[part];
          const std::vector<at::Tensor> passes = policy.logits(batch);
          at::Tensor sum = target_log_likelihood(passes.back(), batch.target, batch.count).sum;
          last[part] = sum.item<double>();
          for (std::size_t pass = 0; pass + 1 < passes.size(); ++pass) {
            sum = sum + kFirstPassWeight *
                            target_log_likelihood(passes[pass], batch.target, batch.count).sum;
          }
          return sum / -weight;
        });
      });
      double value = 0;
      for (const double part : last) value -= part / weight;
      norm += trainer_.watch().time("update", [&] {
        return trainer_.update(value, progress(), "round " + std::to_string(round_));
      });
      loss += value;
      ++updates;
      trainer_.progress().show(stage_ + " round " + std::to_string(round_ + 1), progress(),
                               trainer_.seconds());
    }
    line["loss"] = loss / updates;
    line["gradient_norm"] = norm / updates;
    line["rate"] = learning_rate(*settings_.optimizer, trainer_.updates(), progress());
    line["tokens"] = tokens;
    return true;
  }

  void validate() { trainer_.validate(round_, {{"instances", instances_}}); }

  void save() {
    TrainState state;
    state.fields["instances"] = std::to_string(instances_);
    write_positions(store_.position(), state);
    trainer_.checkpoint(round_, std::move(state));
  }

  const TrainConfig& config_;
  std::string stage_;
  StageSettings settings_;
  LabelStore store_;
  Trainer trainer_;
  std::vector<SizeShare> shares_;
  std::uint64_t round_ = 0;
  std::uint64_t instances_ = 0;
};

}  // namespace

bool run_merge_stage(const TrainConfig& config, const std::string& stage,
                     const RunOptions& options) {
  return MergeStage(config, stage, options).run();
}

}  // namespace eco::train
