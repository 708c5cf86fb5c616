#include "train/config/train_config.h"

#include <algorithm>

#include "core/base/nearest_name.h"
#include "train/config/sanity.h"
#include "train/config/values.h"

namespace eco::train {

namespace {

template <class Config, class Visit>
void visit_optimizer(const std::string& stage, Config& c, Visit&& visit) {
  visit(stage + "optimizer", c.kind, "adamw (decoupled decay) or adam (no decay)");
  visit(stage + "rate", c.rate, "learning rate at its highest");
  visit(stage + "weight_decay", c.weight_decay, "adamw: on matrices only");
  visit(stage + "beta1", c.beta1, "decay of the first moment");
  visit(stage + "beta2", c.beta2, "decay of the second moment");
  visit(stage + "clip", c.clip, "largest gradient norm; 0: off");
  visit(stage + "warmup", c.warmup, "steps in which the rate rises from 0");
  visit(stage + "schedule", c.schedule, "constant or cosine, after the warm-up");
  visit(stage + "final_share", c.final_share, "share of the rate at which the cosine ends");
}

// The one list of keys. Config: TrainConfig or const TrainConfig; visit(key, value, meaning).
template <class Config, class Visit>
void visit_keys(Config& c, Visit&& visit) {
  visit("problem", c.problem, "what is solved");
  visit("preset", c.preset,
        "paper, best, am, pomo or lehd: the model and its defaults (docs/model.md)");
  visit("seed", c.seed, "initial weights and every draw of the training");
  visit("clock", c.clock,
        "what minutes and seconds of a run are: wall, or cpu (processor time of all threads)");
  visit("threads", c.threads, "0: one a core");
  visit("parts", c.parts,
        "pieces of a batch that run in parallel (sums depend on it slightly); 0: one for every 800 "
        "tokens, at least 4");
  visit("ops", c.ops, "fused kernels or plain tensor operations (docs/training-ops.md)");
  visit("average", c.average,
        "validate and save a running mean of the weights that keeps this share an update; 0: off");
  visit("log_every", c.log_every, "steps between two lines of metrics");

  visit("data.sizes", c.data.sizes,
        "N[:weight][@from] list: mixed sizes; @0.5 joins at half of the run; empty: 100, or all "
        "sizes "
        "of data.files by their count");
  visit("data.files", c.data.files, "labelled files in any format eco reads; empty: generate");
  visit("data.distribution", c.data.distribution,
        "of generated instances: NAME[:weight] list of uniform, clustered, mixture, x, board, "
        "panel");
  visit("data.count", c.data.count, "generated: how many labelled instances of each size");
  visit("data.reuse", c.data.reuse, "draws of a label, on average, while labels are still made");
  visit("data.draw", c.data.draw,
        "labels with replacement, or in epochs: all of a size in random order, then all again");
  visit("data.cache", c.data.cache, "file to which labels are appended and from which they return");
  visit("data.label_threads", c.data.label_threads, "threads that run the expert");
  visit("data.effort", c.data.effort, "expert iterations an instance; 0: by size");
  visit("data.capacity", c.data.capacity, "CVRP; 0: the paper's for the size");
  visit("data.shortest_route", c.data.shortest_route, "CVRP: see data.longest_route");
  visit("data.longest_route", c.data.longest_route,
        "CVRP: capacities for a mean of this many customers a route at most; 0: data.capacity");
  visit("data.seed", c.data.seed, "of the generated instances");

  visit("sft.init", c.sft.init, "weights to start from; empty: fresh ones");
  visit("sft.steps", c.sft.steps, "updates");
  visit("sft.minutes", c.sft.minutes,
        "instead of sft.steps: length by the clock (then no two runs are the same); 0: off");
  visit("sft.tokens", c.sft.tokens, "tokens a batch");
  visit("sft.symmetries", c.sft.symmetries, "draw one of the 8 symmetries of the square");
  visit("sft.along", c.sft.along,
        "decoder lehd: steps of a stretch that are learned from, drawn at random; 0: all");
  visit("sft.validate_every", c.sft.validate_every, "steps between validations");
  visit_optimizer("sft.", c.sft.optimizer, visit);

  visit("imitate.free", c.imitate.free,
        "merging, second stage: share of the rollouts that make wrong links too");
  visit("imitate.effort", c.imitate.effort,
        "merging: iterations of the expert from a state, over its default for as many nodes");
  visit("imitate.late", c.imitate.late,
        "merging: a state of L nodes weighs L to the power of minus this, a node");
  visit("imitate.expert", c.imitate.expert,
        "merging, preferences: share of the rollouts that lose to the expert's way on; a share "
        "improve.alpha loses to a short search, the rest to the best of improve.samples");
  visit("imitate.nodes", c.imitate.nodes, "merging: nodes of all instances of a round together");

  visit("improve.init", c.improve.init,
        "'sft': the best of the sft stage; 'none': fresh; or a file");
  visit("improve.objective", c.improve.objective,
        "dpo, logistic, hinge, imitate, ppo, rollout (AM), multistart (POMO), balance (GFlowNet), "
        "complete (DAgger)");
  visit("improve.iterations", c.improve.iterations, "rounds of generation and update");
  visit("improve.minutes", c.improve.minutes,
        "instead of improve.iterations: length by the clock; 0: off");
  visit("improve.instances", c.improve.instances, "instances a round");
  visit("improve.samples", c.improve.samples, "K, sampled solutions an instance");
  visit("improve.temperature", c.improve.temperature, "of the sampling");
  visit(
      "improve.rule", c.improve.rule,
      "which of K samples make pairs: best-worst, random (two of them), best-random (the best and "
      "another), best-anchored (the best and each other), all-pairs");
  visit("improve.alpha", c.improve.alpha,
        "share of the instances whose pair is made by local search instead of among samples");
  visit("improve.operators", c.improve.operators,
        "local-search operators by name; empty: the paper's");
  visit("improve.beta", c.improve.beta, "strength of the reference");
  visit("improve.margin", c.improve.margin, "hinge: margin of the log-probabilities");
  visit("improve.length_normalised", c.improve.length_normalised,
        "mean instead of summed log-probability");
  visit("improve.nll", c.improve.nll, "weight of the winner's mean NLL added to the loss");
  visit("improve.reference_every", c.improve.reference_every,
        "rounds between refreshes of the reference (rollout: challenges of the baseline)");
  visit("improve.challenge", c.improve.challenge,
        "rollout: instances on which the policy must beat the baseline (one-sided paired t-test, "
        "5%) to take its place");
  visit("improve.epochs", c.improve.epochs,
        "passes over what a round learns from; merging: each under other symmetries");
  visit("improve.tokens", c.improve.tokens, "tokens a batch");
  visit("improve.clip_ratio", c.improve.clip_ratio, "ppo: clip of the probability ratio");
  visit("improve.sharpness", c.improve.sharpness,
        "balance: a solution's log-reward is minus this times its cost over the mean of its pool");
  visit("improve.local", c.improve.local,
        "balance: weight of the balance at every step, against that of whole solutions");
  visit("improve.validate_every", c.improve.validate_every, "rounds between validations");
  visit_optimizer("improve.", c.improve.optimizer, visit);

  visit("validate.count", c.validate.count, "held-out instances of each size");
  visit("validate.minutes", c.validate.minutes,
        "instead of sft.validate_every and improve.validate_every: by the clock; 0: off");
  visit("validate.sizes", c.validate.sizes, "sizes; empty: those that are trained on");
  visit("validate.files", c.validate.files, "labelled files instead of generated instances");
  visit("validate.effort", c.validate.effort, "expert iterations; 0: ten times the label's");
  visit("validate.seed", c.validate.seed, "of the generated held-out instances");

  visit("checkpoint.minutes", c.checkpoint.minutes,
        "between two checkpoints; 0: after every step or round");
  visit("checkpoint.steps", c.checkpoint.steps, "also every so many steps or rounds; 0: off");
  visit("checkpoint.keep", c.checkpoint.keep, "how many of the last are kept, beside the best");
}

constexpr std::string_view kModel = "model.";

void refuse_unknown(const ConfigEntry& entry, const TrainConfig& config) {
  std::vector<std::string> known;
  visit_keys(config,
             [&](const std::string& key, const auto&, const char*) { known.push_back(key); });
  for (const auto& [key, value] : to_fields(config.model)) {
    if (key != "problem") known.push_back(std::string(kModel) + key);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  refuse(entry, "unknown key " + eco::quoted(entry.key) + did_you_mean(entry.key, views));
}

bool set_key(TrainConfig& config, const ConfigEntry& entry) {
  bool found = false;
  visit_keys(config, [&](const std::string& key, auto& value, const char* meaning) {
    if (key != entry.key) return;
    found = true;
    if (!parse_value(entry.value, value)) {
      refuse(entry, key + " is " + eco::quoted(entry.value) + ", expected " + expected(value) +
                        " (" + meaning + ")");
    }
  });
  return found;
}

// Runs of letters, digits and underscores.
std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_0123456789";
  std::vector<std::string_view> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_of(kLetters), text.size()));
    if (text.empty()) return words;
    words.push_back(text.substr(0, text.find_first_not_of(kLetters)));
    text.remove_prefix(words.back().size());
  }
}

ModelConfig model_of(Preset preset, ProblemKind problem) {
  switch (preset) {
    case Preset::best:
      return best_preset(problem);
    case Preset::am:
      return am_preset(problem);
    case Preset::pomo:
      return pomo_preset(problem);
    case Preset::lehd:
      return lehd_preset(problem);
    case Preset::paper:
      break;
  }
  return paper_preset(problem);
}

// The published ways of training: from nothing, on own samples, Adam at 1e-4.
void learn_alone(TrainConfig& config, const std::string& objective) {
  config.improve.init = "none";
  config.improve.objective = objective;
  config.improve.alpha = 0;
  config.improve.optimizer.rate = 1e-4;
}

TrainConfig preset_defaults(Preset preset, ProblemKind problem) {
  TrainConfig config;
  config.preset = preset;
  config.problem = problem;
  config.data.sizes.clear();
  config.model = model_of(preset, problem);
  config.improve.optimizer.schedule = Schedule::constant;
  if (preset != Preset::best) {
    config.sft.optimizer.kind = OptimizerKind::adam;
    config.sft.optimizer.rate = 5e-4;
    config.sft.optimizer.schedule = Schedule::constant;
    config.improve.optimizer.kind = OptimizerKind::adam;
    config.improve.optimizer.rate = 5e-4;
    if (preset == Preset::am) {
      learn_alone(config, "rollout");
      config.improve.samples = 1;
      config.improve.instances = 512;
      config.improve.reference_every = 100;
    } else if (preset == Preset::pomo) {
      learn_alone(config, "multistart");
      config.improve.samples = 100;  // N of the run; all nodes of an instance should be starts
      config.improve.instances = 64;
    } else if (preset == Preset::lehd) {
      config.sft.optimizer.rate = 1e-4;
      config.sft.along = 8;
    }
  } else {
    config.average = 0.998;
    config.parts = 2;
    config.sft.tokens = config.improve.tokens = 2048;
    config.sft.optimizer.rate = config.improve.optimizer.rate = 1.5e-3;
    config.sft.optimizer.beta2 = config.improve.optimizer.beta2 = 0.98;
    config.sft.optimizer.warmup = config.improve.optimizer.warmup = 100;
    config.improve.optimizer.schedule = Schedule::cosine;
    config.improve.objective = "complete";
    config.sft.validate_every = config.improve.validate_every = 10;
  }
  return config;
}

// The network's own checks name a field but know no file: the last line that set one of the fields
// in the message.
ModelConfig make_model(const std::map<std::string, std::string>& fields,
                       const ModelConfig& defaults, const std::vector<ConfigEntry>& entries) {
  try {
    return config_from_fields(fields, defaults);
  } catch (const Error& error) {
    const std::vector<std::string_view> words = words_of(error.what());
    const auto names_it = [&](const ConfigEntry& entry) {
      return entry.key.starts_with(kModel) &&
             std::find(words.begin(), words.end(), entry.key.substr(kModel.size())) != words.end();
    };
    const auto found = std::find_if(entries.rbegin(), entries.rend(), names_it);
    if (found == entries.rend()) throw;
    refuse(*found, error.what());
  }
}

}  // namespace

TrainConfig make_train_config(const std::vector<ConfigEntry>& entries) {
  // The preset sets defaults, so it applies before every other key wherever it stands.
  TrainConfig first;
  for (const ConfigEntry& entry : entries) {
    if (entry.key == "problem" || entry.key == "preset") set_key(first, entry);
  }
  TrainConfig config = preset_defaults(first.preset, first.problem);
  const auto model_keys = to_fields(config.model);
  std::map<std::string, std::string> model;
  for (const ConfigEntry& entry : entries) {
    const std::string key = entry.key.substr(std::min(kModel.size(), entry.key.size()));
    if (entry.key.starts_with(kModel) && key != "problem" && model_keys.contains(key)) {
      model[key] = entry.value;
    } else if (!set_key(config, entry)) {
      refuse_unknown(entry, config);
    }
  }
  config.model = make_model(model, config.model, entries);
  if (config.data.sizes.empty() && config.data.files.empty()) config.data.sizes = {SizeShare{}};
  require_sane(config, entries);
  return config;
}

std::map<std::string, std::string> to_fields(const TrainConfig& config) {
  std::map<std::string, std::string> fields;
  visit_keys(config, [&](const std::string& key, const auto& value, const char*) {
    fields.emplace(key, show_value(value));
  });
  for (const auto& [key, value] : to_fields(config.model)) {
    if (key != "problem") fields.emplace(std::string(kModel) + key, value);
  }
  return fields;
}

std::string dump_train_config(const TrainConfig& config) {
  std::string text;
  visit_keys(config, [&](const std::string& key, const auto& value, const char*) {
    text += key + " = " + show_value(value) + "\n";
  });
  for (const auto& [key, value] : to_fields(config.model)) {
    if (key != "problem") text += std::string(kModel) + key + " = " + value + "\n";
  }
  return text;
}

std::string describe_train_config() {
  const TrainConfig config = preset_defaults(Preset::paper, kProblems.front());
  std::string text = "Keys of a config file (defaults of preset paper):\n\n";
  visit_keys(config, [&](const std::string& key, const auto& value, const char* meaning) {
    const std::string shown = show_value(value);
    std::string left = "  " + key + " = " + shown;
    left.resize(std::max<std::size_t>(left.size() + 2, 36), ' ');
    text += left + meaning + "\n";
  });
  text += "\nThe network (docs/model.md):\n\n";
  for (const auto& [key, value] : to_fields(config.model)) {
    if (key != "problem") text += "  model." + key + " = " + value + "\n";
  }
  return text;
}

}  // namespace eco::train
