#include "train/loop/merge_stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/model/packed.h"
#include "train/data/instance_source.h"
#include "train/data/label_order.h"
#include "train/data/label_store.h"
#include "train/data/merge_batch.h"
#include "train/loop/interrupt.h"
#include "train/loop/store_position.h"
#include "train/loss/merge_preference.h"
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
  double imitation = 1;  // weight of the imitation of labels and winners
  bool pairs = false;
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
          &c.dpo.optimizer,
          c.dpo.objective == Objective::complete ? 1 : c.dpo.nll,
          c.dpo.objective != Objective::complete};
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
        shares_(shares_of(config, &store_)),
        reference_(trainer_.policy().copy()) {
    if (!trainer_.resumed()) return;
    round_ = trainer_.resumed()->number("step");
    instances_ = trainer_.resumed()->number("instances");
    store_.restore(read_positions(*trainer_.resumed()));
    if (!settings_.pairs) return;
    const auto size = static_cast<std::size_t>(reference_.flat().numel());
    const auto& saved = trainer_.resumed()->array("reference", size);
    std::copy(saved.begin(), saved.end(), reference_.flat().data_ptr<float>());
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
      return visit_states(model, instances, state_options(), trainer_.pool());
    });
    const std::vector<MergeBatch> batches =
        trainer_.watch().time("data", [&] { return make_batches(visit.examples); });
    const std::vector<std::vector<PairRatio>> reference =
        trainer_.watch().time("reference", [&] { return reference_ratios(batches); });
    if (!batches.empty() && !learn(batches, reference, line)) {
      store_.restore(position);
      return false;
    }
    ++round_;
    instances_ += instances.size();
    if (settings_.pairs && round_ % config_.dpo.reference_every == 0) {
      reference_.flat().copy_(trainer_.policy().flat());
    }
    if (settings_.pairs) line["margin"] = margins(visit.examples);
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

  [[nodiscard]] MergeStateOptions state_options() const {
    MergeStateOptions options{settings_.free, config_.imitate.effort, stream(kVisitStream),
                              std::nullopt};
    if (settings_.pairs) {
      options.pairs = {config_.dpo.alpha, config_.imitate.expert, config_.dpo.samples,
                       config_.dpo.temperature};
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
  std::vector<std::vector<PairRatio>> reference_ratios(std::span<const MergeBatch> batches) {
    std::vector<std::vector<PairRatio>> ratios(batches.size());
    if (!settings_.pairs || config_.dpo.objective != Objective::dpo) return ratios;
    for_each_part(trainer_.pool(), batches.size(), [&](std::size_t i) {
      ratios[i] =
          pair_ratios(log_probs_of(reference_.logits(batches[i]).back(), batches[i]), batches[i]);
    });
    return ratios;
  }
  static at::Tensor log_probs_of(const at::Tensor& logits, const MergeBatch& batch) {
    return target_log_likelihood(logits, batch.target, batch.count).log_probs;
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
      std::vector<float> target, difference;
      input.clear(config_.model.depot(), config_.model.candidates);
      for (const std::size_t i : parts[part]) {
        const Fragments& state = examples[i].state;
        const Instance& instance = state.instance();
        builders[worker].append(state, bounding_box(instance.points), {}, input);
        // Late states are small and their errors dear.
        const double weight =
            std::pow(100.0 / static_cast<double>(state.open_nodes()), config_.imitate.late);
        const Partners label(instance, examples[i].label);
        append_target(state, label, weight, input, target);
        if (!settings_.pairs) continue;
        std::optional<Partners> loser;
        if (examples[i].loser) loser.emplace(instance, *examples[i].loser);
        append_difference(state, label, loser ? &*loser : nullptr, input, difference);
      }
      batches[part] = make_merge_batch(input, target, difference);
    });
    return batches;
  }

  // The loss of a part and what is seen of it.
  struct Seen {
    double imitation = 0;  // summed log-likelihood of the labels, last pass
    MergePreference preference;
  };
  at::Tensor loss_of(const Policy& policy, const MergeBatch& batch,
                     const std::vector<PairRatio>& reference, double weight, double pairs,
                     Seen& seen) const {
    const std::vector<at::Tensor> passes = policy.logits(batch);
    const TargetLikelihood last = target_log_likelihood(passes.back(), batch.target, batch.count);
    seen.imitation = last.sum.item<double>();
    at::Tensor sum = last.sum;
    for (std::size_t pass = 0; pass + 1 < passes.size(); ++pass) {
      sum = sum +
            kFirstPassWeight * target_log_likelihood(passes[pass], batch.target, batch.count).sum;
    }
    at::Tensor loss = sum * (-settings_.imitation / weight);
    if (!settings_.pairs) return loss;
    seen.preference =
        merge_preference(config_.dpo, batch, pair_ratios(last.log_probs, batch), reference);
    const at::Tensor slope =
        target_log_likelihood(passes.back(), seen.preference.slope, batch.count).sum;
    return loss + slope / std::max(pairs, 1.0);
  }

  bool learn(std::span<const MergeBatch> batches, std::span<const std::vector<PairRatio>> reference,
             Json& line) {
    const Trainer::Moment before = trainer_.moment();
    double loss = 0, norm = 0, tokens = 0, updates = 0;
    MergePreference all;
    for (std::size_t first = 0; first < batches.size(); first += trainer_.parts()) {
      if (interrupted()) {
        trainer_.go_back_to(before);
        return false;
      }
      const auto parts = batches.subspan(first, std::min(trainer_.parts(), batches.size() - first));
      double weight = 0, pairs = 0;
      for (const MergeBatch& batch : parts) {
        weight += batch.weight;
        pairs += batch.pairs;
        tokens += static_cast<double>(batch.tokens());
      }
      std::vector<Seen> seen(parts.size());
      trainer_.watch().time("gradient", [&] {
        return trainer_.workers().run(parts.size(), [&](const Policy& policy, std::size_t part) {
          return loss_of(policy, parts[part], reference[first + part], weight, pairs, seen[part]);
        });
      });
      double value = 0;
      for (const Seen& part : seen) {
        value -= part.imitation / weight;
        all.loss += part.preference.loss;
        all.pairs += part.preference.pairs;
        all.accurate += part.preference.accurate;
        all.margin += part.preference.margin;
      }
      norm += trainer_.watch().time("update", [&] {
        return trainer_.update(value, progress(), "round " + std::to_string(round_));
      });
      loss += value;
      ++updates;
      trainer_.progress().show(stage_ + " round " + std::to_string(round_ + 1), progress(),
                               trainer_.seconds());
    }
    line["loss"] = loss / updates;
    if (settings_.pairs) {
      const double pairs = std::max(all.pairs, 1.0);
      line["preference_loss"] = all.loss / pairs;
      line["implicit_accuracy"] = all.accurate / pairs;
      line["implicit_margin"] = all.margin / pairs;
    }
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
    if (settings_.pairs) {
      const float* values = reference_.flat().data_ptr<float>();
      state.arrays["reference"].assign(values, values + reference_.flat().numel());
    }
    trainer_.checkpoint(round_, std::move(state));
  }

  const TrainConfig& config_;
  std::string stage_;
  StageSettings settings_;
  LabelStore store_;
  Trainer trainer_;
  std::vector<SizeShare> shares_;
  Policy reference_;  // of preferences
  std::uint64_t round_ = 0;
  std::uint64_t instances_ = 0;
};

}  // namespace

bool run_merge_stage(const TrainConfig& config, const std::string& stage,
                     const RunOptions& options) {
  return MergeStage(config, stage, options).run();
}

}  // namespace eco::train
