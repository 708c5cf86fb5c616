#include "train/loop/dpo.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "train/data/instance_source.h"
#include "train/loop/buffer.h"
#include "train/loop/interrupt.h"
#include "train/loop/merge_stage.h"
#include "train/pairs/advantage.h"
#include "train/rollout/policy_engine.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kPairStream = 0x71d5ULL << 48U;
constexpr std::uint64_t kOrderStream = 0x8e21ULL << 48U;

bool online(Objective objective) {
  return objective == Objective::ppo || objective == Objective::rollout ||
         objective == Objective::multistart;
}

std::string init_of(const TrainConfig& config, const RunOptions& options) {
  if (config.dpo.init == "none") return "";
  return config.dpo.init == "sft" ? options.out + "/sft/best.safetensors" : config.dpo.init;
}

Json margins_json(std::span<const PreferencePair> pairs, PairSource source) {
  const MarginSummary m = summarise_margins(pairs, source);
  return {
      {"pairs", m.count}, {"mean", m.mean}, {"median", m.median}, {"p10", m.p10}, {"p90", m.p90}};
}

std::vector<const Instance*> pointers_to(const std::vector<Instance>& instances) {
  std::vector<const Instance*> pointers;
  pointers.reserve(instances.size());
  for (const Instance& instance : instances) pointers.push_back(&instance);
  return pointers;
}

class DpoStage {
 public:
  DpoStage(const TrainConfig& config, const RunOptions& options)
      : config_(config),
        dpo_(config.dpo),
        source_(config),
        trainer_(config, config.dpo.optimizer, "dpo", init_of(config, options),
                 training_data(config, source_.files()), options),
        reference_(trainer_.policy().copy()) {
    if (!trainer_.resumed()) return;
    const TrainState& state = *trainer_.resumed();
    round_ = state.number("step");
    instances_ = state.number("instances");
    const auto size = static_cast<std::size_t>(reference_.flat().numel());
    const auto& saved = state.array("reference", size);
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
      if (round_ % config_.dpo.validate_every == 0 || over) validate();
      if (trainer_.checkpoint_due(round_)) save();
    }
    save();
    return true;
  }

 private:
  [[nodiscard]] double progress() const {
    const double by_rounds = static_cast<double>(round_) /
                             static_cast<double>(std::max<std::size_t>(dpo_.iterations, 1));
    return std::min(1.0, dpo_.minutes > 0 ? trainer_.seconds() / (60 * dpo_.minutes) : by_rounds);
  }
  [[nodiscard]] bool finished() const { return progress() >= 1; }

  // One round; false if a signal came. The policy is then as it was before the round.
  bool round() {
    const double begin = trainer_.seconds();
    Json line = {{"step", round_ + 1}, {"kind", "train"}};
    const std::vector<Instance> instances = source_.round(round_, progress());
    std::vector<PreferencePair> pairs;
    const std::unique_ptr<Buffer> buffer = prepare_samples(instances, pairs, line);
    if (buffer && !learn(*buffer, line)) return false;
    ++round_;
    instances_ += instances.size();
    if (round_ % dpo_.reference_every == 0) reference_.flat().copy_(trainer_.policy().flat());

    line["seconds"] = trainer_.seconds();
    line["instances"] = instances_;
    line["round_seconds"] = trainer_.seconds() - begin;
    line["seconds_by_part"] = trainer_.watch().take();
    trainer_.log(line);
    return true;
  }

  std::unique_ptr<Buffer> prepare_samples(const std::vector<Instance>& instances,
                                          std::vector<PreferencePair>& pairs, Json& line) {
    std::vector<Pool> pools = sample(instances);
    double cost = 0;
    for (const Pool& pool : pools) cost += mean_cost(pool) / static_cast<double>(pools.size());
    line["sampled_cost"] = cost;
    return online(dpo_.objective) ? prepare_pools(pools) : prepare_pairs(pools, pairs, line);
  }

  std::vector<Pool> sample(const std::vector<Instance>& instances) {
    return trainer_.watch().time("generation", [&] {
      PolicyEngine engine(to_weights(trainer_.policy()), trainer_.pool().size());
      return engine.sample(pointers_to(instances), dpo_.samples, dpo_.temperature,
                           stream(kPairStream));
    });
  }

  std::unique_ptr<Buffer> prepare_pairs(const std::vector<Pool>& pools,
                                        std::vector<PreferencePair>& pairs, Json& line) {
    trainer_.watch().time("pairs", [&] {
      std::vector<std::vector<PreferencePair>> each(pools.size());
      trainer_.pool().parallel_for(pools.size(), [&](std::size_t i, std::size_t) {
        Rng rng(stream(kPairStream), i);
        each[i] = pairs_of(pools[i], dpo_, rng);
      });
      for (auto& list : each) std::move(list.begin(), list.end(), std::back_inserter(pairs));
    });
    line["pairs"] = pairs.size();
    line["margin_sampled"] = margins_json(pairs, PairSource::sampled);
    line["margin_local_search"] = margins_json(pairs, PairSource::local_search);
    if (pairs.empty()) return nullptr;
    return trainer_.watch().time(
        "reference", [&] { return pair_buffer(settings(), pairs, reference_, trainer_.pool()); });
  }

  std::unique_ptr<Buffer> prepare_pools(std::vector<Pool>& pools) {
    std::vector<double> greedy;
    if (dpo_.objective == Objective::rollout) {
      trainer_.watch().time("generation", [&] {
        std::vector<const Instance*> pointers;
        for (const Pool& pool : pools) pointers.push_back(pool.instance);
        greedy =
            PolicyEngine(to_weights(reference_), trainer_.pool().size()).greedy_costs(pointers);
      });
    }
    std::vector<std::vector<double>> advantages(pools.size());
    trainer_.watch().time("pairs", [&] {
      trainer_.pool().parallel_for(pools.size(), [&](std::size_t i, std::size_t) {
        Rng rng(stream(kPairStream), i);
        if (rng.uniform() < dpo_.alpha) refine_one(pools[i], dpo_.operators, rng);
        advantages[i] = dpo_.objective == Objective::ppo ? standardised_advantage(pools[i])
                        : dpo_.objective == Objective::rollout
                            ? relative_advantage(pools[i], greedy[i])
                            : relative_advantage(pools[i], mean_cost(pools[i]));
      });
    });
    return trainer_.watch().time("reference", [&] {
      return pool_buffer(settings(), pools, advantages, trainer_.policy(), trainer_.pool());
    });
  }

  // The passes over the buffer.
  bool learn(const Buffer& buffer, Json& line) {
    const Trainer::Moment before = trainer_.moment();
    std::vector<std::size_t> order(buffer.parts());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Rng rng(stream(kOrderStream));
    Observed observed;
    double loss = 0, norm = 0, tokens = 0, minibatches = 0;
    for (std::size_t epoch = 0; epoch < dpo_.epochs; ++epoch) {
      rng.shuffle(std::span<std::size_t>(order));
      for (std::size_t first = 0; first < order.size(); first += trainer_.parts()) {
        if (interrupted()) {
          trainer_.go_back_to(before);
          return false;
        }
        const auto parts =
            std::span(order).subspan(first, std::min(trainer_.parts(), order.size() - first));
        std::size_t items = 0;
        for (const std::size_t part : parts) {
          items += buffer.items(part);
          tokens += static_cast<double>(buffer.tokens(part));
        }
        std::vector<Observed> seen(parts.size());
        const double value = trainer_.watch().time("gradient", [&] {
          return trainer_.workers().run(parts.size(), [&](const Policy& policy, std::size_t part) {
            return buffer.loss(policy, parts[part], seen[part]) / static_cast<double>(items);
          });
        });
        norm += trainer_.watch().time("update", [&] {
          return trainer_.update(value, progress(), "round " + std::to_string(round_));
        });
        for (const Observed& part : seen) observed += part;
        loss += value;
        ++minibatches;
        trainer_.progress().show("dpo round " + std::to_string(round_ + 1), progress(),
                                 trainer_.seconds());
      }
    }
    line["loss"] = loss / minibatches;
    line["gradient_norm"] = norm / minibatches;
    line["rate"] = learning_rate(dpo_.optimizer, trainer_.updates(), progress());
    line["tokens"] = tokens;
    line["implicit_accuracy"] = observed.accurate / observed.count;
    line["implicit_margin"] = observed.margin / observed.count;
    line["winner_drift"] = observed.winner_drift / observed.count;
    line["loser_drift"] = observed.loser_drift / observed.count;
    return true;
  }

  // A seed for this round, apart from those of every other use and round.
  [[nodiscard]] std::uint64_t stream(std::uint64_t use) const {
    return Rng(config_.seed, use + round_).next_u64();
  }

  [[nodiscard]] BufferSettings settings() const {
    return {config_.model, dpo_, std::max<std::size_t>(1, dpo_.tokens / trainer_.parts())};
  }

  void validate() { trainer_.validate(round_, {{"instances", instances_}}); }

  void save() {
    TrainState state;
    state.fields["instances"] = std::to_string(instances_);
    const float* values = reference_.flat().data_ptr<float>();
    state.arrays["reference"].assign(values, values + reference_.flat().numel());
    trainer_.checkpoint(round_, std::move(state));
  }

  const TrainConfig& config_;
  const DpoConfig& dpo_;
  InstanceSource source_;  // before the trainer: data that cannot be used leaves no trace
  Trainer trainer_;
  Policy reference_;
  std::uint64_t round_ = 0;
  std::uint64_t instances_ = 0;
};

}  // namespace

bool run_dpo(const TrainConfig& config, const RunOptions& options) {
  if (config.model.constructor == Constructor::merging) {
    return run_merge_stage(config, "dpo", options);
  }
  return DpoStage(config, options).run();
}

}  // namespace eco::train
