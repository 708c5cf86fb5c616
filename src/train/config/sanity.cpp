#include "train/config/sanity.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "core/base/nearest_name.h"
#include "core/search/local_search.h"
#include "train/config/values.h"
#include "train/objective/registry.h"

namespace eco::train {

namespace {

class SanityCheck {
 public:
  SanityCheck(const TrainConfig& config, const std::vector<ConfigEntry>& entries)
      : c(config), entries_(entries) {}

  void run() const {
    general();
    data();
    optimizer("sft.", c.sft.optimizer);
    optimizer("improve.", c.improve.optimizer);
    sft();
    improve();
    imitate();
    operators();
    generator();
  }

 private:
  using Keys = std::initializer_list<std::string_view>;

  // `keys`: those that the message is about. The last line that set one of them is to blame.
  void require(bool condition, Keys keys, const std::string& message) const {
    if (condition) return;
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const auto& entry) {
      return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
    });
    if (found != entries_.rend()) refuse(*found, message);
    throw Error(ErrorKind::usage, "config: " + message);
  }
  void above_zero(std::string_view key, double value) const {
    require(value > 0, {key}, shown(key, value) + ", expected above 0");
  }
  void not_negative(std::string_view key, double value) const {
    require(value >= 0, {key}, shown(key, value) + ", expected 0 or more");
  }
  void at_least_one(std::string_view key, std::size_t value) const {
    require(value >= 1, {key}, std::string(key) + " is 0, expected 1 or more");
  }
  void share(std::string_view key, double value) const {
    require(value >= 0 && value <= 1, {key}, shown(key, value) + ", expected 0 to 1");
  }
  static std::string shown(std::string_view key, double value) {
    return std::string(key) + " is " + show_value(value);
  }

  void general() const {
    require(c.average >= 0 && c.average < 1, {"average"},
            shown("average", c.average) + ", expected 0 or more and below 1");
    at_least_one("log_every", c.log_every);
    at_least_one("validate.count", c.validate.count);
    not_negative("validate.minutes", c.validate.minutes);
    not_negative("checkpoint.minutes", c.checkpoint.minutes);
    at_least_one("checkpoint.keep", c.checkpoint.keep);
  }

  void data() const {
    const auto& sizes = c.data.sizes;
    require(sizes.empty() || std::any_of(sizes.begin(), sizes.end(),
                                         [](const SizeShare& size) { return size.from == 0; }),
            {"data.sizes"}, "data.sizes: one size must take part from the start (no @)");
    at_least_one("data.count", c.data.count);
    above_zero("data.reuse", c.data.reuse);
    at_least_one("data.label_threads", c.data.label_threads);
    require(c.data.longest_route == 0 ||
                (c.data.shortest_route >= 1 && c.data.longest_route >= c.data.shortest_route),
            {"data.longest_route", "data.shortest_route"},
            "data.longest_route must be 0, or at least data.shortest_route, and that at least 1");
    require(c.data.longest_route == 0 || c.data.capacity == 0,
            {"data.capacity", "data.longest_route"},
            "data.capacity and data.longest_route exclude each other");
    require(c.data.capacity >= 0, {"data.capacity"}, "data.capacity is negative");
  }

  void optimizer(const std::string& stage, const OptimizerConfig& o) const {
    above_zero(stage + "rate", o.rate);
    not_negative(stage + "weight_decay", o.weight_decay);
    not_negative(stage + "clip", o.clip);
    share(stage + "final_share", o.final_share);
    for (const auto& [key, value] : {std::pair{"beta1", o.beta1}, std::pair{"beta2", o.beta2}}) {
      require(value >= 0 && value < 1, {stage + key},
              shown(stage + key, value) + ", expected 0 or more and below 1");
    }
  }

  void sft() const {
    not_negative("sft.minutes", c.sft.minutes);
    require(c.sft.steps > 0 || c.sft.minutes > 0, {"sft.steps", "sft.minutes"},
            "sft.steps and sft.minutes are both 0");
    at_least_one("sft.tokens", c.sft.tokens);
    at_least_one("sft.validate_every", c.sft.validate_every);
    require(c.sft.along == 0 || c.model.heavy(), {"sft.along", "model.decoder", "preset"},
            "sft.along has no effect without decoder = lehd, expected 0");
  }

  void imitate() const {
    share("imitate.free", c.imitate.free);
    above_zero("imitate.effort", c.imitate.effort);
    not_negative("imitate.late", c.imitate.late);
    share("imitate.expert", c.imitate.expert);
    at_least_one("imitate.nodes", c.imitate.nodes);
  }

  void improve() const {
    not_negative("improve.minutes", c.improve.minutes);
    require(c.improve.iterations > 0 || c.improve.minutes > 0,
            {"improve.iterations", "improve.minutes"},
            "improve.iterations and improve.minutes are both 0");
    at_least_one("improve.instances", c.improve.instances);
    // Only a baseline of its own makes something of a single sample.
    const std::size_t fewest = c.improve.objective == "rollout" ? 1 : 2;
    require(c.improve.samples >= fewest, {"improve.samples"},
            "improve.samples is below " + std::to_string(fewest));
    require(c.improve.challenge >= 2, {"improve.challenge"}, "improve.challenge is below 2");
    above_zero("improve.temperature", c.improve.temperature);
    share("improve.alpha", c.improve.alpha);
    above_zero("improve.beta", c.improve.beta);
    not_negative("improve.margin", c.improve.margin);
    not_negative("improve.nll", c.improve.nll);
    at_least_one("improve.reference_every", c.improve.reference_every);
    at_least_one("improve.epochs", c.improve.epochs);
    at_least_one("improve.tokens", c.improve.tokens);
    above_zero("improve.clip_ratio", c.improve.clip_ratio);
    above_zero("improve.sharpness", c.improve.sharpness);
    share("improve.local", c.improve.local);
    at_least_one("improve.validate_every", c.improve.validate_every);
    const ObjectiveKind* kind = find_objective(c.improve.objective, c.model.constructor);
    const auto known = objective_names(c.model.constructor);
    std::string names;
    for (const std::string_view one : known) names.append(names.empty() ? "" : ", ").append(one);
    require(kind != nullptr, {"improve.objective", "preset", "model.constructor"},
            "improve.objective: preset " + show_value(c.preset) + " has no " +
                eco::quoted(c.improve.objective) + did_you_mean(c.improve.objective, known) +
                ", expected one of " + names);
    require(c.model.constructor == ConstructorKind::sequential || !kind->pairs ||
                c.improve.alpha + c.imitate.expert <= 1 + 1e-9,
            {"improve.alpha", "imitate.expert"},
            "improve.alpha and imitate.expert are above 1 together");
  }

  void operators() const {
    const auto known = search_operators(c.problem);
    for (const std::string& name : c.improve.operators) {
      std::string names;
      for (const std::string_view one : known) names.append(names.empty() ? "" : ", ").append(one);
      require(std::find(known.begin(), known.end(), name) != known.end(),
              {"improve.operators", "problem"},
              "improve.operators: no operator " + eco::quoted(name) + did_you_mean(name, known) +
                  " (of the " + std::string(to_string(c.problem)) + ": " + names + ")");
    }
  }

  // The generator's own rules, for every size and distribution that it will be asked for.
  void generator() const {
    if (!c.data.files.empty() && !c.validate.files.empty()) return;
    std::vector<SizeShare> sizes = c.data.sizes;
    if (sizes.empty()) sizes.emplace_back();  // sizes of files, not known yet
    sizes.insert(sizes.end(), c.validate.sizes.begin(), c.validate.sizes.end());
    for (const DistributionShare& share : c.data.distribution) {
      for (const SizeShare& size : sizes) {
        GeneratorOptions options;
        options.kind = c.problem;
        options.distribution = share.distribution;
        options.nodes = size.nodes;
        if (c.data.capacity > 0) options.capacity = c.data.capacity;
        if (c.data.longest_route > 0) options.route_size = c.data.shortest_route;
        std::string wrong;
        try {
          validate(options);
        } catch (const Error& error) {
          wrong = error.what();
        }
        require(wrong.empty(),
                {"problem", "data.sizes", "data.distribution", "data.capacity",
                 "data.longest_route", "validate.sizes"},
                "no such instances can be generated: " + wrong);
      }
    }
  }

  const TrainConfig& c;
  const std::vector<ConfigEntry>& entries_;
};

}  // namespace

void require_sane(const TrainConfig& config, const std::vector<ConfigEntry>& entries) {
  SanityCheck(config, entries).run();
}

}  // namespace eco::train
