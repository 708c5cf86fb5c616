#include "train/loop/stage.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/base/interrupt.h"
#include "train/objective/objective.h"
#include "train/objective/registry.h"

namespace eco::train {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kOrderStream = 0x8e21ULL << 48U;

// Sums since the last line of metrics.
struct Interval {
  double begin = 0;  // second of the run
  double loss = 0, norm = 0, updates = 0, tokens = 0, rate = 0;
  std::size_t rounds = 0;
  Observed observed;
  Json line = Json::object();  // of the objective, newest round
};

class Stage {
 public:
  Stage(const TrainConfig& config, const StagePlan& plan, std::unique_ptr<Objective> objective,
        const RunOptions& options)
      : config_(config),
        plan_(plan),
        objective_(std::move(objective)),
        trainer_(config, plan, objective_->data(), options) {
    objective_->begin(trainer_);
    if (!trainer_.resumed()) return;
    round_ = trainer_.resumed()->number("step");
    instances_ = trainer_.resumed()->number("instances");
  }

  bool run() {
    if (round_ == 0) validate();
    interval_.begin = validated_ = trainer_.seconds();
    bool over = finished();
    while (!over) {
      if (interrupted() || !round()) {
        save();
        return false;
      }
      over = finished();  // asked once: by the clock, a second answer may be another
      if (round_ % plan_.log_every == 0) log();
      if (over || validation_due()) validate();
      if (trainer_.checkpoint_due(round_)) save();
    }
    save();
    return true;
  }

 private:
  [[nodiscard]] double progress() const {
    if (plan_.minutes > 0) return std::min(1.0, trainer_.seconds() / (60 * plan_.minutes));
    const auto share = [](std::uint64_t done, std::size_t all) {
      return static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(all, 1));
    };
    return std::min(1.0, plan_.updates > 0 ? share(trainer_.updates(), plan_.updates)
                                           : share(round_, plan_.rounds));
  }
  [[nodiscard]] bool finished() const { return progress() >= 1; }
  [[nodiscard]] bool validation_due() const {
    const double minutes = config_.validate.minutes;
    if (minutes > 0) return trainer_.seconds() - validated_ >= 60 * minutes;
    return round_ % plan_.validate_every == 0;
  }

  // False if a signal came. Everything is then as it was before the round.
  bool round() {
    const Round round{trainer_, config_.seed, round_, progress()};
    interval_.line.clear();
    const Prepared prepared = objective_->prepare(round, interval_.line);
    if (prepared.buffer && !learn(*prepared.buffer, round)) {
      objective_->abandon();
      return false;
    }
    ++round_;
    ++interval_.rounds;
    instances_ += prepared.instances;
    objective_->finish(trainer_.policy(), round_);
    return true;
  }

  // The passes over a buffer.
  bool learn(const Buffer& buffer, const Round& round) {
    const std::size_t most = trainer_.parts();
    std::vector<std::size_t> order(buffer.parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(round.stream(kOrderStream));
    std::optional<Trainer::Moment> before;  // not needed until something is changed
    for (std::size_t epoch = 0; epoch < plan_.epochs; ++epoch) {
      if (buffer.shuffled()) rng.shuffle(std::span<std::size_t>(order));
      for (std::size_t first = 0; first < order.size(); first += most) {
        if (interrupted()) {
          if (before) trainer_.go_back_to(*before);
          return false;
        }
        const bool last = epoch + 1 == plan_.epochs && first + most >= order.size();
        if (!before && !last) before = trainer_.moment();
        update(buffer, std::span(order).subspan(first, std::min(most, order.size() - first)));
      }
    }
    return true;
  }

  // One minibatch.
  void update(const Buffer& buffer, std::span<const std::size_t> parts) {
    Buffer::Weight weight;
    for (const std::size_t part : parts) {
      const Buffer::Weight one = buffer.weight(part);
      weight.items += one.items;
      weight.pairs += one.pairs;
      interval_.tokens += static_cast<double>(buffer.tokens(part));
    }
    std::vector<Observed> seen(parts.size());
    double loss = trainer_.watch().time("gradient", [&] {
      return trainer_.workers().run(parts.size(), [&](const Policy& policy, std::size_t part) {
        return buffer.loss(policy, parts[part], weight, seen[part]);
      });
    });
    if (seen.front().logged_loss) {
      loss = 0;
      for (const Observed& part : seen) loss += part.logged_loss.value();
    }
    interval_.norm += trainer_.watch().time("update", [&] {
      return trainer_.update(loss, progress(), "step " + std::to_string(round_));
    });
    interval_.loss += loss;
    ++interval_.updates;
    for (const Observed& part : seen) interval_.observed += part;
    interval_.rate = learning_rate(*plan_.optimizer, trainer_.updates(), progress());
    char text[32];
    (void)std::snprintf(text, sizeof text, "  loss %.4f", loss);
    trainer_.progress().show(plan_.name + " " + std::to_string(round_ + 1) + text, progress(),
                             trainer_.seconds());
  }

  void log() {
    const double now = trainer_.seconds();
    Json line = {{"step", round_}, {"kind", "train"}};
    line.update(interval_.line);
    if (interval_.updates > 0) {
      line["loss"] = interval_.loss / interval_.updates;
      line["gradient_norm"] = interval_.norm / interval_.updates;
      line["rate"] = interval_.rate;
      line["tokens"] = interval_.tokens;
      interval_.observed.write(line);
    }
    line["seconds"] = now;
    line["instances"] = instances_;
    line["updates"] = trainer_.updates();
    line["round_seconds"] = (now - interval_.begin) / static_cast<double>(interval_.rounds);
    line["seconds_by_part"] = trainer_.watch().take();
    trainer_.log(line);
    interval_ = {};
    interval_.begin = now;
  }

  void validate() {
    trainer_.validate(round_, {{"instances", instances_}});
    validated_ = trainer_.seconds();
  }

  void save() {
    TrainState state;
    state.fields["instances"] = std::to_string(instances_);
    objective_->save(state);
    trainer_.checkpoint(round_, std::move(state));
  }

  const TrainConfig& config_;
  StagePlan plan_;
  std::unique_ptr<Objective> objective_;  // before the trainer: data of no use leaves no trace
  Trainer trainer_;
  std::uint64_t round_ = 0;
  std::uint64_t instances_ = 0;
  double validated_ = 0;  // second of the last validation
  Interval interval_;
};

}  // namespace

bool run_sft(const TrainConfig& config, const RunOptions& options) {
  const SftConfig& sft = config.sft;
  StagePlan plan;
  plan.name = "sft";
  plan.init = sft.init;
  plan.optimizer = &sft.optimizer;
  plan.tokens = sft.tokens;
  plan.minutes = sft.minutes;
  plan.validate_every = sft.validate_every;
  // A round of merging makes many updates; one of the sequential constructor is a single step.
  if (config.model.constructor == ConstructorKind::merging) {
    plan.updates = sft.steps;
  } else {
    plan.rounds = sft.steps;
    plan.log_every = config.log_every;
  }
  return Stage(config, plan, make_imitation(config), options).run();
}

bool run_improve(const TrainConfig& config, const RunOptions& options) {
  const ImproveConfig& improve = config.improve;
  StagePlan plan;
  plan.name = "improve";
  if (improve.init == "sft") {
    plan.init = options.out + "/sft/best.safetensors";
  } else if (improve.init != "none") {
    plan.init = improve.init;
  }
  plan.optimizer = &improve.optimizer;
  plan.tokens = improve.tokens;
  plan.rounds = improve.iterations;
  plan.minutes = improve.minutes;
  plan.validate_every = improve.validate_every;
  if (config.model.constructor == ConstructorKind::sequential) plan.epochs = improve.epochs;
  return Stage(config, plan, make_objective(config), options).run();
}

}  // namespace eco::train
