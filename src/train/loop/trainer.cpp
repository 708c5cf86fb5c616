#include "train/loop/trainer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "io/atomic_file.h"
#include "io/weights.h"
#include "train/config/values.h"
#include "train/ops/ops.h"
#include "train/rollout/policy_engine.h"
#include "train/rollout/policy_weights.h"

namespace eco::train {

namespace {

std::vector<std::uint8_t> decay_mask(const Policy& policy) {
  std::vector<std::uint8_t> mask;
  for (const TensorSpec& spec : policy.specs()) {
    mask.insert(mask.end(), spec.elements(), spec.decay ? 1 : 0);
  }
  return mask;
}

std::span<float> span_of(const at::Tensor& flat) {
  return {flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel())};
}

std::vector<float> copy_of(const at::Tensor& flat) {
  const auto values = span_of(flat);
  return {values.begin(), values.end()};
}

void write_text(const std::string& path, const std::string& text) {
  io::AtomicFile file(path);
  file.write(text);
  file.commit();
}

// The first field in which a checkpoint's model differs from the config's, or nothing.
std::string difference(const TrainState& state, const ModelConfig& model) {
  const auto defaults = to_fields(ModelConfig{});
  for (const auto& [key, value] : to_fields(model)) {
    const auto found = state.fields.find("model." + key);
    // A checkpoint from before the key was made: it had no choice then.
    const std::string saved = found != state.fields.end() ? found->second : defaults.at(key);
    if (saved != value) return "model." + key + " is " + saved + ", the config says " + value;
  }
  return "";
}

// Pieces of a batch of so many tokens. Never by the number of threads: sums, and so the bits of the
// weights, depend on it. 800 tokens keep the activations of a layer in cache.
std::size_t parts_of(const TrainConfig& config, const StagePlan& plan) {
  constexpr std::size_t kTokens = 800, kFewest = 4;
  return config.parts > 0 ? config.parts : std::max(kFewest, plan.tokens / kTokens);
}

constexpr const char* kConfigPrefix = "config.";

}  // namespace

Trainer::Trainer(const TrainConfig& config, const StagePlan& plan, const TrainingData& data,
                 const RunOptions& options)
    : config_(config),
      optimizer_config_(*plan.optimizer),
      stage_(plan.name),
      pool_(config.threads),
      parts_(parts_of(config, plan)),
      folder_(options.out, plan.name, options.resume, config.checkpoint.keep),
      policy_(config.model, config.seed),
      workers_(policy_, pool_),
      optimizer_(*plan.optimizer, decay_mask(policy_)),
      progress_(options.quiet),
      watch_(config.clock == RunClock::cpu),
      data_content_(data.content),
      best_gap_(std::numeric_limits<double>::infinity()) {
  set_up_process();
  set_ops(config.ops);
  if (!plan.init.empty() && !(options.resume && folder_.has_checkpoint())) {
    set_weights(policy_, io::load_weights(plan.init));
  }
  held_out_ = read_held_out(config);
  const std::vector<std::size_t> sizes =
      held_out_.empty() ? held_out_sizes(config, data.sizes) : std::vector<std::size_t>{};

  folder_.open();
  if (options.resume) resumed_ = folder_.newest();
  if (resumed_) {
    restore(*resumed_);
  } else if (options.resume) {
    progress_.warn(options.out + "/" + stage_ + " holds no checkpoint: the run starts afresh");
  }
  if (config.average > 0 && !resumed_) average_ = copy_of(policy_.flat());
  if (held_out_.empty()) label_held_out(sizes, options);
  judged_by_ = content_of(held_out_);
  write_text(folder_.path("config.conf"), dump_train_config(config));
  std::optional<std::uint64_t> step;
  if (resumed_) step = resumed_->number("step");
  metrics_ = std::make_unique<MetricsLog>(folder_.path("metrics.jsonl"), step);
  if (resumed_) tell_what_changed();
  watch_.restart();
}

void Trainer::label_held_out(const std::vector<std::size_t>& sizes, const RunOptions& options) {
  const std::string& cache = config_.data.cache;
  TrainingProgress progress(options.quiet);
  held_out_ = make_held_out(
      config_, sizes,
      {cache.empty() ? options.out + "/held-out" : cache + ".held-out",
       [&](double share) { progress.show("labelling the held-out set", share, watch_.seconds()); },
       interrupts()},
      pool_);
}

// Says what is not as it was at the checkpoint. A best gap on other instances is no measure for
// what comes: the best weights are judged anew.
void Trainer::tell_what_changed() {
  nlohmann::ordered_json line = {
      {"step", resumed_->number("step")}, {"kind", "resume"}, {"seconds", seconds()}};
  for (const ConfigChange& change : changes_) {
    line["changed"][change.key] = {{"from", change.from}, {"to", change.to}};
    progress_.warn("resumed with " + change.key + " = " + change.to + " (was " + change.from + ")" +
                   (change.learning ? ", which changes what is learned from here on" : ""));
  }
  const auto saved = resumed_->fields.find("judged_by");
  if (saved == resumed_->fields.end() || saved->second != judged_by_) {
    best_gap_ = std::numeric_limits<double>::infinity();
    const std::string best = folder_.path("best.safetensors");
    if (std::filesystem::exists(best)) {
      nlohmann::ordered_json gaps;
      best_gap_ = judge(io::load_weights(best), gaps);
      line["best_gap"] = best_gap_;
    }
    progress_.warn("the held-out set is not that of the checkpoint: gap of " + best + " on it " +
                   show_value(best_gap_) + "%");
  }
  if (line.size() > 3) metrics_->write(line);
}

Trainer::~Trainer() = default;

double Trainer::seconds() const {
  return seconds_before_ + watch_.seconds();
}

void Trainer::restore(const TrainState& state) {
  if (state.field("stage") != stage_) {
    throw Error(ErrorKind::input, "the checkpoint is of stage " + state.field("stage"));
  }
  if (const std::string what = difference(state, config_.model); !what.empty()) {
    throw Error(ErrorKind::input, "the checkpoint is of another model: " + what);
  }
  std::map<std::string, std::string> saved_config;
  const std::string_view prefix = kConfigPrefix;
  for (const auto& [key, value] : state.fields) {
    if (key.starts_with(prefix)) saved_config.emplace(key.substr(prefix.size()), value);
  }
  changes_ = changes_on_resume(saved_config, config_, stage_);
  if (const auto data = state.fields.find("data");
      data != state.fields.end() && data->second != data_content_) {
    throw Error(ErrorKind::input,
                "the training data is not that of the checkpoint: data.files hold other instances");
  }
  const auto values = span_of(policy_.flat());
  const auto& saved = state.array("weights", values.size());
  std::copy(saved.begin(), saved.end(), values.begin());
  optimizer_.restore({state.number("updates"), state.array("first", values.size()),
                      state.array("second", values.size())});
  if (config_.average > 0) average_ = state.array("average", values.size());
  best_gap_ = state.real("best_gap");
  seconds_before_ = state.real("seconds");
}

double Trainer::update(double loss, double progress, const std::string& where) {
  const auto gradient = span_of(workers_.gradient());
  const double norm = clip_gradient(gradient, optimizer_config_.clip);
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    throw Error(ErrorKind::resource,
                stage_ + ": the loss is " + show_value(loss) + " and the gradient norm " +
                    show_value(norm) + " at " + where + ", seed " + show_value(config_.seed) +
                    "; the last checkpoint is intact (a lower rate or clip may help)");
  }
  optimizer_.update(span_of(policy_.flat()), gradient,
                    learning_rate(optimizer_config_, updates(), progress));
  workers_.update_statistics(policy_);
  if (config_.average > 0) {
    // A short memory at first, so that the beginning is soon forgotten.
    const auto count = static_cast<double>(updates());
    const auto keep = static_cast<float>(std::min(config_.average, (1 + count) / (10 + count)));
    const auto values = span_of(policy_.flat());
    for (std::size_t i = 0; i < values.size(); ++i) {
      average_[i] = keep * average_[i] + (1 - keep) * values[i];
    }
  }
  return norm;
}

Trainer::Moment Trainer::moment() {
  return {copy_of(policy_.flat()), average_, optimizer_.state()};
}

void Trainer::go_back_to(const Moment& moment) {
  std::copy(moment.weights.begin(), moment.weights.end(), span_of(policy_.flat()).begin());
  average_ = moment.average;
  optimizer_.restore(moment.optimizer);
}

Weights Trainer::shown_weights() {
  if (average_.empty()) return to_weights(policy_);
  const auto values = span_of(policy_.flat());
  std::swap_ranges(values.begin(), values.end(), average_.begin());
  Weights weights = to_weights(policy_);
  std::swap_ranges(values.begin(), values.end(), average_.begin());
  return weights;
}

void Trainer::write_weights(const std::string& path) {
  io::save_weights(path, shown_weights(),
                   {{"eco.stage", stage_},
                    {"eco.updates", std::to_string(updates())},
                    {"eco.seed", show_value(config_.seed)},
                    {"eco.best_gap", show_value(best_gap_)}});
}

double Trainer::judge(Weights weights, nlohmann::ordered_json& gaps) {
  double sum = 0;
  PolicyEngine engine(std::move(weights), pool_.size());
  for (const HeldOutSet& set : held_out_) {
    const double gap = engine.greedy_gap(set.instances);
    gaps[set.name] = gap;
    sum += gap;
  }
  return sum / static_cast<double>(held_out_.size());
}

void Trainer::validate(std::uint64_t step, const nlohmann::ordered_json& extra) {
  nlohmann::ordered_json line = {{"step", step}, {"kind", "validation"}, {"seconds", seconds()}};
  line.update(extra);
  nlohmann::ordered_json gaps;
  const double mean = watch_.time("validation", [&] { return judge(shown_weights(), gaps); });
  if (step == 0) watch_.restart();
  std::string shown;
  for (const auto& [set, gap] : gaps.items()) {
    char text[64];
    (void)std::snprintf(text, sizeof text, "  %s %.2f%%", set.c_str(), gap.get<double>());
    shown += text;
  }
  line["gap"] = gaps;
  line["mean_gap"] = mean;
  if (mean < best_gap_) {
    best_gap_ = mean;
    write_weights(folder_.path("best.safetensors"));
    shown += "  (best)";
  }
  line["best_gap"] = best_gap_;
  metrics_->write(line);
  progress_.say(stage_ + " " + std::to_string(step) + "  gap" + shown + "  after " +
                duration_text(seconds()));
}

bool Trainer::checkpoint_due(std::uint64_t step) const {
  if (config_.checkpoint.steps > 0 && step % config_.checkpoint.steps == 0) return true;
  return watch_.seconds() - last_checkpoint_ >= 60 * config_.checkpoint.minutes;
}

void Trainer::checkpoint(std::uint64_t step, TrainState extra) {
  TrainState state = std::move(extra);
  state.fields["stage"] = stage_;
  state.fields["step"] = std::to_string(step);
  state.fields["updates"] = std::to_string(updates());
  state.fields["best_gap"] = show_value(best_gap_);
  state.fields["seconds"] = show_value(seconds());
  state.fields["judged_by"] = judged_by_;
  state.fields["data"] = data_content_;
  for (const auto& [key, value] : to_fields(config_)) state.fields[kConfigPrefix + key] = value;
  for (const auto& [key, value] : to_fields(config_.model)) state.fields["model." + key] = value;
  state.arrays["weights"] = copy_of(policy_.flat());
  if (config_.average > 0) state.arrays["average"] = average_;
  state.arrays["first"] = optimizer_.state().first;
  state.arrays["second"] = optimizer_.state().second;
  watch_.time("checkpoint", [&] {
    folder_.save(step, state, [&](const std::string& path) { write_weights(path); });
  });
  last_checkpoint_ = watch_.seconds();
}

}  // namespace eco::train
