// The merging constructor on states that it comes to itself: in every round the current policy
// rolls out labelled instances, some of the states are kept with a solution each, and every open
// node of every such state learns its partner. With a preference loss the states also carry what
// the rollout came to, as the loser against that solution.

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/geometry/symmetry.h"
#include "core/model/packed.h"
#include "train/data/label_store.h"
#include "train/data/merge_batch.h"
#include "train/loop/store_position.h"
#include "train/loss/merge_preference.h"
#include "train/nn/gradient.h"
#include "train/objective/kinds.h"
#include "train/objective/reference.h"
#include "train/rollout/merge_states.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kDrawStream = 0x2c4eULL << 48U;
constexpr std::uint64_t kVisitStream = 0x39b7ULL << 48U;
constexpr std::uint64_t kShuffleStream = 0x4a60ULL << 48U;
constexpr double kFirstPassWeight = 0.5;  // of the loss of a pass that another one corrects

// What tells the objectives apart.
struct MergingSettings {
  std::size_t tokens = 0;                  // of a minibatch
  std::size_t passes = 1;                  // over the states of a round
  double free = 0;                         // share of the rollouts that make wrong links too
  double imitation = 1;                    // weight of the imitation of labels and winners
  std::shared_ptr<const MarginLoss> loss;  // of preferences; null: none are made
};

at::Tensor log_probs_of(const at::Tensor& logits, const MergeBatch& batch) {
  return target_log_likelihood(logits, batch.target, batch.count).log_probs;
}

class MergingBuffer final : public Buffer {
 public:
  // reference: of every state of every batch, where the loss has one.
  MergingBuffer(const MergingSettings& settings, bool length_normalised,
                std::vector<MergeBatch> batches, std::vector<std::vector<PairRatio>> reference)
      : settings_(settings),
        length_normalised_(length_normalised),
        batches_(std::move(batches)),
        reference_(std::move(reference)) {}

  [[nodiscard]] std::size_t parts() const override { return batches_.size(); }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return static_cast<std::size_t>(batches_[part].tokens());
  }
  [[nodiscard]] Weight weight(std::size_t part) const override {
    return {batches_[part].weight, batches_[part].pairs};
  }

  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t part, const Weight& minibatch,
                                Observed& observed) const override {
    const MergeBatch& batch = batches_[part];
    const std::vector<at::Tensor> passes = policy.logits(batch);
    const TargetLikelihood last = target_log_likelihood(passes.back(), batch.target, batch.count);
    observed.logged_loss = -last.sum.item<double>() / minibatch.items;
    at::Tensor sum = last.sum;
    for (std::size_t pass = 0; pass + 1 < passes.size(); ++pass) {
      sum = sum +
            kFirstPassWeight * target_log_likelihood(passes[pass], batch.target, batch.count).sum;
    }
    const at::Tensor imitation = sum * (-settings_.imitation / minibatch.items);
    if (!settings_.loss) return imitation;
    const MergePreference preference =
        merge_preference(*settings_.loss, length_normalised_, batch,
                         pair_ratios(last.log_probs, batch), reference_[part]);
    observed.add("preference_loss", preference.loss, preference.pairs);
    observed.add("implicit_accuracy", preference.accurate, preference.pairs);
    observed.add("implicit_margin", preference.margin, preference.pairs);
    const at::Tensor slope =
        target_log_likelihood(passes.back(), preference.slope, batch.count).sum;
    return imitation + slope / std::max(minibatch.pairs, 1.0);
  }

 private:
  const MergingSettings& settings_;
  bool length_normalised_;
  std::vector<MergeBatch> batches_;
  std::vector<std::vector<PairRatio>> reference_;  // empty without one
};

class MergingObjective final : public Objective {
 public:
  MergingObjective(const TrainConfig& config, MergingSettings settings)
      : config_(config),
        settings_(std::move(settings)),
        store_(config.problem, config.data),
        shares_(shares_of(config, &store_)),
        reference_(config.improve.reference_every) {}

  [[nodiscard]] TrainingData data() const override { return training_data(config_, &store_); }

  void begin(Trainer& trainer) override {
    if (settings_.loss) reference_.begin(trainer);
    if (trainer.resumed()) store_.restore(read_positions(*trainer.resumed()));
  }

  Prepared prepare(const Round& round, Json& line) override {
    Trainer& trainer = round.trainer;
    before_ = store_.position();
    const std::vector<Instance> instances =
        trainer.watch().time("labels", [&] { return draw_instances(round); });
    const MergeVisit visit = trainer.watch().time("generation", [&] {
      const PackedModel model(to_weights(trainer.policy()));
      return visit_states(model, instances, state_options(round), trainer.pool());
    });
    if (settings_.loss) line["margin"] = margins(visit.examples);
    line["states"] = visit.examples.size();
    line["relabelled"] = visit.relabelled;
    line["free_links"] = visit.free_links;
    line["wrong_links"] = visit.wrong_links;
    std::vector<MergeBatch> batches =
        trainer.watch().time("data", [&] { return make_batches(visit.examples, round); });
    if (batches.empty()) return {nullptr, instances.size()};
    std::vector<std::vector<PairRatio>> reference =
        trainer.watch().time("reference", [&] { return reference_ratios(batches, trainer); });
    return {std::make_unique<MergingBuffer>(settings_, config_.improve.length_normalised,
                                            std::move(batches), std::move(reference)),
            instances.size()};
  }

  void abandon() override { store_.restore(before_); }
  void finish(const Policy& policy, std::uint64_t rounds) override {
    if (settings_.loss) reference_.finish(policy, rounds);
  }
  void save(TrainState& state) const override {
    write_positions(store_.position(), state);
    if (settings_.loss) reference_.save(state);
  }

 private:
  std::vector<Instance> draw_instances(const Round& round) {
    Rng rng(round.stream(kDrawStream));
    std::vector<Instance> instances;
    // As many nodes as the round is meant to have, so that large instances do not make it long.
    std::size_t nodes = 0;
    while (nodes < config_.imitate.nodes) {
      instances.push_back(store_.draw(draw_share(shares_, round.progress, rng), rng));
      if (config_.sft.symmetries) apply_symmetry(instances.back().points, rng.below(kSymmetries));
      nodes += instances.back().size();
    }
    return instances;
  }

  [[nodiscard]] MergeStateOptions state_options(const Round& round) const {
    MergeStateOptions options{settings_.free, config_.imitate.effort, round.stream(kVisitStream),
                              std::nullopt};
    if (settings_.loss) {
      options.pairs = {config_.improve.alpha, config_.imitate.expert, config_.improve.samples,
                       config_.improve.temperature};
    }
    return options;
  }

  // Pairs by where the winner comes from, with the mean margin in percent.
  static Json margins(std::span<const MergeExample> examples) {
    constexpr std::array kNames{"expert", "local_search", "sample"};
    std::array<double, 3> count{}, sum{};
    for (const MergeExample& example : examples) {
      if (!example.loser) continue;
      const auto source = static_cast<std::size_t>(example.winner);
      ++count[source];
      sum[source] += example.margin;
    }
    Json json;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      json[kNames[i]] = {{"pairs", count[i]}, {"mean", sum[i] / std::max(count[i], 1.0)}};
    }
    return json;
  }

  // Of every state of every batch, under the reference policy.
  std::vector<std::vector<PairRatio>> reference_ratios(std::span<const MergeBatch> batches,
                                                       Trainer& trainer) {
    std::vector<std::vector<PairRatio>> ratios(batches.size());
    if (!settings_.loss || !settings_.loss->has_reference()) return ratios;
    for_each_part(trainer.pool(), batches.size(), [&](std::size_t i) {
      const at::Tensor logits = (*reference_).logits(batches[i]).back();
      ratios[i] = pair_ratios(log_probs_of(logits, batches[i]), batches[i]);
    });
    return ratios;
  }

  // An example as it is learned from once.
  struct Use {
    std::size_t example = 0;
    unsigned symmetry = 0;
  };

  // Every example once in each pass, in random order; after the first pass turned or mirrored,
  // which shows the network something else at no cost of generation.
  std::vector<Use> draw_uses(std::size_t examples, const Round& round) const {
    Rng rng(round.stream(kShuffleStream));
    std::vector<Use> uses;
    for (std::size_t pass = 0; pass < settings_.passes; ++pass) {
      const std::size_t first = uses.size();
      for (std::size_t i = 0; i < examples; ++i) uses.push_back({i});
      const auto newest = std::span(uses).subspan(first);
      rng.shuffle(newest);
      if (pass == 0) continue;
      for (Use& use : newest) use.symmetry = rng.below(kSymmetries);
    }
    return uses;
  }

  // The examples cut into parts of about equal size.
  std::vector<MergeBatch> make_batches(std::span<const MergeExample> examples, const Round& round) {
    Trainer& trainer = round.trainer;
    const std::size_t most = std::max<std::size_t>(1, settings_.tokens / trainer.parts());
    std::vector<std::vector<Use>> parts;
    std::size_t tokens = most;
    for (const Use& use : draw_uses(examples.size(), round)) {
      if (tokens >= most) {
        parts.emplace_back();
        tokens = 0;
      }
      parts.back().push_back(use);
      tokens += examples[use.example].state.open_nodes();
    }
    std::vector<MergeBatch> batches(parts.size());
    std::vector<MergeInputBuilder> builders(trainer.pool().size());
    trainer.pool().parallel_for(parts.size(), [&](std::size_t part, std::size_t worker) {
      MergeInput input;
      std::vector<float> target, difference;
      input.clear(config_.model.depot(), config_.model.candidates);
      for (const Use& use : parts[part]) {
        const MergeExample& example = examples[use.example];
        const Fragments& state = example.state;
        const Instance& instance = state.instance();
        builders[worker].append(state, View(instance, use.symmetry), {}, input);
        // Late states are small and their errors dear.
        const double weight =
            std::pow(100.0 / static_cast<double>(state.open_nodes()), config_.imitate.late);
        const Partners label(instance, example.label);
        append_target(state, label, weight, input, target);
        if (!settings_.loss) continue;
        std::optional<Partners> loser;
        if (example.loser) loser.emplace(instance, *example.loser);
        append_difference(state, label, loser ? &*loser : nullptr, input, difference);
      }
      batches[part] = make_merge_batch(input, target, difference);
    });
    return batches;
  }

  const TrainConfig& config_;
  MergingSettings settings_;
  LabelStore store_;
  std::vector<SizeShare> shares_;
  ReferencePolicy reference_;  // of preferences
  std::vector<PoolPosition> before_;
};

ObjectiveOwner merging_preference(const TrainConfig& c, std::unique_ptr<MarginLoss> loss) {
  return std::make_unique<MergingObjective>(
      c, MergingSettings{c.improve.tokens, c.improve.epochs, c.imitate.free, c.improve.nll,
                         std::move(loss)});
}

}  // namespace

ObjectiveOwner merging_labels(const TrainConfig& config) {
  return std::make_unique<MergingObjective>(config,
                                            MergingSettings{config.sft.tokens, 1, 0, 1, {}});
}
ObjectiveOwner merging_complete(const TrainConfig& config) {
  return std::make_unique<MergingObjective>(
      config,
      MergingSettings{config.improve.tokens, config.improve.epochs, config.imitate.free, 1, {}});
}
ObjectiveOwner merging_dpo(const TrainConfig& config) {
  return merging_preference(config, dpo_loss(config.improve.beta));
}
ObjectiveOwner merging_logistic(const TrainConfig& config) {
  return merging_preference(config, logistic_ranking());
}
ObjectiveOwner merging_hinge(const TrainConfig& config) {
  return merging_preference(config, hinge_ranking(config.improve.margin));
}

}  // namespace eco::train
